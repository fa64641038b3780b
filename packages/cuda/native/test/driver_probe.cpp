// An addon for tests that calls the driver as another library in the process would.

#include <cstdint>
#include <cstdlib>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "driver/abi.hpp"
#include "library/library.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

namespace {

/// An exported function of the driver; null where it has none of that name.
void* Symbol(const char* symbol) {
  const char* named = std::getenv("ARRAY_INTERFACE_LIBCUDA");
  std::vector<Attempt> attempts;
  const auto library = Library::Open({named != nullptr ? named : "libcuda.so.1"}, attempts);
  return library == nullptr ? nullptr : library->Symbol(symbol);
}

/// Calls a driver function by its exported name.
template <class... Parameters>
void Call(Napi::Env env, const char* symbol, Parameters... arguments) {
  void* function = Symbol(symbol);
  if (function == nullptr) throw Napi::Error::New(env, std::string("no ") + symbol);
  const Result result = reinterpret_cast<Result (*)(Parameters...)>(function)(arguments...);
  if (result != kSuccess) {
    throw Napi::Error::New(env, std::string(symbol) + ": " + std::to_string(result));
  }
}

template <class Pointer>
Pointer ReadAddress(const Napi::Value& value) {
  bool lossless = false;
  return reinterpret_cast<Pointer>(value.As<Napi::BigInt>().Uint64Value(&lossless));
}

template <class Pointer>
Napi::Value Address(Napi::Env env, Pointer address) {
  return Napi::BigInt::New(env, reinterpret_cast<std::uint64_t>(address));
}

Napi::Value CurrentContext(const Napi::CallbackInfo& info) {
  ContextHandle context = nullptr;
  Call(info.Env(), "cuCtxGetCurrent", &context);
  return Napi::BigInt::New(info.Env(), reinterpret_cast<std::uint64_t>(context));
}

Napi::Value MakeCurrent(const Napi::CallbackInfo& info) {
  ContextHandle context = nullptr;
  Call(info.Env(), "cuDevicePrimaryCtxRetain", &context,
       static_cast<DeviceNumber>(info[0].ToNumber().Int32Value()));
  Call(info.Env(), "cuCtxSetCurrent", context);
  return info.Env().Undefined();
}

Napi::Value BeginCapture(const Napi::CallbackInfo& info) {
  Call(info.Env(), "cuStreamBeginCapture_v2", ReadAddress<StreamHandle>(info[0]),
       info[1].ToNumber().Int32Value());
  return info.Env().Undefined();
}

Napi::Value EndCapture(const Napi::CallbackInfo& info) {
  void* graph = nullptr;
  Call(info.Env(), "cuStreamEndCapture", ReadAddress<StreamHandle>(info[0]), &graph);
  Call(info.Env(), "cuGraphDestroy", graph);
  return info.Env().Undefined();
}

/// A context beside the primary one, with memory and a stream of its own; none is current then.
Napi::Value CreateContext(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  ContextHandle context = nullptr;
  DevicePointer pointer = 0;
  StreamHandle stream = nullptr;
  Call(env, "cuCtxCreate_v2", &context, 0u,
       static_cast<DeviceNumber>(info[0].ToNumber().Int32Value()));
  Call(env, "cuMemAlloc_v2", &pointer, std::size_t{256});
  Call(env, "cuStreamCreate", &stream, kStreamNonBlocking);
  Call(env, "cuCtxPopCurrent_v2", &context);
  auto made = Napi::Object::New(env);
  made["context"] = Address(env, context);
  made["pointer"] = Napi::BigInt::New(env, pointer);
  made["stream"] = Address(env, stream);
  return made;
}

Napi::Value DestroyContext(const Napi::CallbackInfo& info) {
  Call(info.Env(), "cuCtxDestroy_v2", ReadAddress<ContextHandle>(info[0]));
  return info.Env().Undefined();
}

/// Another library's stream of the current context.
Napi::Value CreateStream(const Napi::CallbackInfo& info) {
  StreamHandle stream = nullptr;
  Call(info.Env(), "cuStreamCreate", &stream, kStreamNonBlocking);
  return Address(info.Env(), stream);
}

Napi::Value DestroyStream(const Napi::CallbackInfo& info) {
  Call(info.Env(), "cuStreamDestroy_v2", ReadAddress<StreamHandle>(info[0]));
  return info.Env().Undefined();
}

/// Work on a stream that ends when the function that this gives is called.
Napi::Value Hold(const Napi::CallbackInfo& info) {
  auto gate = std::make_shared<std::promise<void>>();
  auto* const opened = std::make_unique<std::future<void>>(gate->get_future()).release();
  const auto wait = [](void* data) {
    const std::unique_ptr<std::future<void>> held(static_cast<std::future<void>*>(data));
    held->wait();
  };
  Call(info.Env(), "cuLaunchHostFunc", ReadAddress<StreamHandle>(info[0]),
       static_cast<void (*)(void*)>(wait), static_cast<void*>(opened));
  return Napi::Function::New(info.Env(), [gate](const Napi::CallbackInfo&) { gate->set_value(); });
}

/// Faults of the simulator from now on, as in CUDA_SIMULATOR_FAIL; an empty plan forgets all.
Napi::Value Fail(const Napi::CallbackInfo& info) {
  const auto fail = reinterpret_cast<int (*)(const char*)>(Symbol("simcuda_fail"));
  const std::string plan = info[0].ToString();
  if (fail == nullptr || fail(plan.c_str()) != 0) throw Napi::Error::New(info.Env(), plan);
  return info.Env().Undefined();
}

/// How often a function of the simulator was called.
Napi::Value Calls(const Napi::CallbackInfo& info) {
  const auto calls = reinterpret_cast<unsigned long (*)(const char*)>(Symbol("simcuda_calls"));
  if (calls == nullptr) throw Napi::Error::New(info.Env(), "no simcuda_calls");
  const std::string name = info[0].ToString();
  return Napi::Number::New(info.Env(), static_cast<double>(calls(name.c_str())));
}

Napi::Object Start(Napi::Env env, Napi::Object exports) {
  exports.Set("currentContext", Napi::Function::New<CurrentContext>(env, "currentContext"));
  exports.Set("makeCurrent", Napi::Function::New<MakeCurrent>(env, "makeCurrent"));
  exports.Set("beginCapture", Napi::Function::New<BeginCapture>(env, "beginCapture"));
  exports.Set("endCapture", Napi::Function::New<EndCapture>(env, "endCapture"));
  exports.Set("createContext", Napi::Function::New<CreateContext>(env, "createContext"));
  exports.Set("destroyContext", Napi::Function::New<DestroyContext>(env, "destroyContext"));
  exports.Set("createStream", Napi::Function::New<CreateStream>(env, "createStream"));
  exports.Set("destroyStream", Napi::Function::New<DestroyStream>(env, "destroyStream"));
  exports.Set("hold", Napi::Function::New<Hold>(env, "hold"));
  exports.Set("fail", Napi::Function::New<Fail>(env, "fail"));
  exports.Set("calls", Napi::Function::New<Calls>(env, "calls"));
  return exports;
}

}  // namespace

NODE_API_MODULE(driver_probe, Start)

}  // namespace array_interface::cuda
