// An addon for tests that calls the driver as another library in the process would.

#include "driver_probe.hpp"

#include <fcntl.h>

#include <cstdlib>
#include <vector>

#include "library/library.hpp"

namespace array_interface::cuda {

void* Symbol(const char* symbol) {
  const char* named = std::getenv("ARRAY_INTERFACE_LIBCUDA");
  std::vector<Attempt> attempts;
  const auto library = Library::Open({named != nullptr ? named : "libcuda.so.1"}, attempts);
  return library == nullptr ? nullptr : library->Symbol(symbol);
}

namespace {

void Spare(int spares) {
  static void* const spare = Symbol("simcuda_spare");  // a real driver has none
  if (spare != nullptr) reinterpret_cast<void (*)(int)>(spare)(spares);
}

}  // namespace

Spared::Spared() { Spare(1); }
Spared::~Spared() { Spare(0); }

namespace {

Napi::Value CurrentContext(const Napi::CallbackInfo& info) {
  ContextHandle context = nullptr;
  Call(info.Env(), "cuCtxGetCurrent", &context);
  return Address(info.Env(), context);
}

Napi::Value MakeCurrent(const Napi::CallbackInfo& info) {
  ContextHandle context = nullptr;
  Call(info.Env(), "cuInit", 0u);
  Call(info.Env(), "cuDevicePrimaryCtxRetain", &context,
       static_cast<DeviceNumber>(info[0].ToNumber().Int32Value()));
  Call(info.Env(), "cuCtxSetCurrent", context);
  return info.Env().Undefined();
}

/// enablePeer(from, to): the first device's primary context reaches the other's memory from now on.
Napi::Value EnablePeer(const Napi::CallbackInfo& info) {
  MakeCurrent(info);
  ContextHandle to = nullptr;
  Call(info.Env(), "cuDevicePrimaryCtxRetain", &to,
       static_cast<DeviceNumber>(info[1].ToNumber().Int32Value()));
  Call(info.Env(), "cuCtxEnablePeerAccess", to, 0u);
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

/// resetPrimary(device): ends all that is in the device's primary context, as cudaDeviceReset does.
Napi::Value ResetPrimary(const Napi::CallbackInfo& info) {
  Call(info.Env(), "cuDevicePrimaryCtxReset_v2", info[0].ToNumber().Int32Value());
  return info.Env().Undefined();
}

/// releasePrimary(device): releases its primary context once, whoever retained it.
Napi::Value ReleasePrimary(const Napi::CallbackInfo& info) {
  Call(info.Env(), "cuDevicePrimaryCtxRelease_v2", info[0].ToNumber().Int32Value());
  return info.Env().Undefined();
}

Napi::Value DestroyContext(const Napi::CallbackInfo& info) {
  Call(info.Env(), "cuCtxDestroy_v2", ReadAddress<ContextHandle>(info[0]));
  return info.Env().Undefined();
}

Napi::Value Allocate(const Napi::CallbackInfo& info) {
  DevicePointer pointer = 0;
  Call(info.Env(), "cuMemAlloc_v2", &pointer, ReadLength(info[0]));
  return Napi::BigInt::New(info.Env(), pointer);
}

Napi::Value Free(const Napi::CallbackInfo& info) {
  Call(info.Env(), "cuMemFree_v2", DevicePointer{ReadNumber(info[0])});
  return info.Env().Undefined();
}

Napi::Value AllocateHost(const Napi::CallbackInfo& info) {
  void* pointer = nullptr;
  Call(info.Env(), "cuMemAllocHost_v2", &pointer, ReadLength(info[0]));
  return Address(info.Env(), pointer);
}

Napi::Value FreeHost(const Napi::CallbackInfo& info) {
  Call(info.Env(), "cuMemFreeHost", ReadAddress<void*>(info[0]));
  return info.Env().Undefined();
}

Napi::Value ReadBytes(const Napi::CallbackInfo& info) {
  auto bytes = Napi::Uint8Array::New(info.Env(), ReadLength(info[1]));
  Call(info.Env(), "cuMemcpyDtoH_v2", static_cast<void*>(bytes.Data()),
       DevicePointer{ReadNumber(info[0])}, bytes.ByteLength());
  return {info.Env(), bytes};
}

/// A function that only the simulator has.
template <class Function>
Function SimulatorFunction(Napi::Env env, const char* symbol) {
  void* const function = Symbol(symbol);
  if (function == nullptr) throw Napi::Error::New(env, std::string("no ") + symbol);
  return reinterpret_cast<Function>(function);
}

Napi::Value Fail(const Napi::CallbackInfo& info) {
  const std::string plan = info[0].ToString();
  const auto fail = SimulatorFunction<int (*)(const char*)>(info.Env(), "simcuda_fail");
  if (fail(plan.c_str()) != 0) throw Napi::Error::New(info.Env(), plan);
  return info.Env().Undefined();
}

Napi::Value Calls(const Napi::CallbackInfo& info) {
  const std::string name = info[0].ToString();
  const auto calls = SimulatorFunction<unsigned long (*)(const char*)>(info.Env(), "simcuda_calls");
  return Napi::Number::New(info.Env(), static_cast<double>(calls(name.c_str())));
}

Napi::Value Failed(const Napi::CallbackInfo& info) {
  const std::string name = info[0].ToString();
  const auto failed =
      SimulatorFunction<unsigned long (*)(const char*)>(info.Env(), "simcuda_failed");
  return Napi::Number::New(info.Env(), static_cast<double>(failed(name.c_str())));
}

Napi::Value Refused(const Napi::CallbackInfo& info) {
  const std::string name = info[0].ToString();
  const auto refused =
      SimulatorFunction<unsigned long (*)(const char*)>(info.Env(), "simcuda_refused");
  return Napi::Number::New(info.Env(), static_cast<double>(refused(name.c_str())));
}

Napi::Value Live(const Napi::CallbackInfo& info) {
  const std::string kind = info[0].ToString();
  const auto live = SimulatorFunction<unsigned long (*)(const char*)>(info.Env(), "simcuda_live");
  const unsigned long count = live(kind.c_str());
  if (count == ~0ul) throw Napi::Error::New(info.Env(), "no kind " + kind);
  return Napi::Number::New(info.Env(), static_cast<double>(count));
}

/// lockByte(path, byte): the descriptor of a file that is opened anew, with a lock on one byte
/// until it is closed. The lock is as another process would have it.
Napi::Value LockByte(const Napi::CallbackInfo& info) {
  const std::string path = info[0].ToString();
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = info[1].ToNumber().Int64Value();
  range.l_len = 1;
  if (file < 0 || fcntl(file, F_OFD_SETLK, &range) != 0) throw Napi::Error::New(info.Env(), path);
  return Napi::Number::New(info.Env(), file);
}

Napi::Object Start(Napi::Env, Napi::Object exports) {
  Export<CurrentContext>(exports, "currentContext");
  Export<MakeCurrent>(exports, "makeCurrent");
  Export<EnablePeer>(exports, "enablePeer");
  Export<CreateContext>(exports, "createContext");
  Export<DestroyContext>(exports, "destroyContext");
  Export<ResetPrimary>(exports, "resetPrimary");
  Export<ReleasePrimary>(exports, "releasePrimary");
  Export<Allocate>(exports, "allocate");
  Export<Free>(exports, "free");
  Export<AllocateHost>(exports, "allocateHost");
  Export<FreeHost>(exports, "freeHost");
  Export<ReadBytes>(exports, "readBytes");
  Export<Fail>(exports, "fail");
  Export<Calls>(exports, "calls");
  Export<Failed>(exports, "failed");
  Export<Refused>(exports, "refused");
  Export<Live>(exports, "live");
  Export<LockByte>(exports, "lockByte");
  BindStreams(exports);
  return exports;
}

}  // namespace

NODE_API_MODULE(driver_probe, Start)

}  // namespace array_interface::cuda
