// An addon for tests that uses a queue as another library in the process would: through a capsule.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "library/library.hpp"
#include "napi/setup.hpp"

namespace array_interface::sycl {

namespace {

/// A function of dpctl's C library by its name.
template <class Result, class... Parameters>
Result Call(const Library& library, const char* name, Parameters... arguments) {
  return reinterpret_cast<Result (*)(Parameters...)>(library.Symbol(name))(arguments...);
}

void* ReadAddress(const Napi::Value& value) {
  bool lossless = false;
  return reinterpret_cast<void*>(value.As<Napi::BigInt>().Uint64Value(&lossless));
}

/// copy(library, queue, destination, source, byteLength, times): enqueues that many copies on a
/// queue of its own that stands for the same native one.
Napi::Value Copy(const Napi::CallbackInfo& info) {
  std::vector<Attempt> attempts;
  const auto library = Library::Open({info[0].ToString().Utf8Value()}, attempts);
  if (library == nullptr) throw Napi::Error::New(info.Env(), attempts.back().error);
  void* queue = Call<void*>(*library, "DPCTLQueue_Copy", ReadAddress(info[1]));
  void* const destination = ReadAddress(info[2]);
  const void* const source = ReadAddress(info[3]);
  const auto size = static_cast<std::size_t>(info[4].ToNumber().Int64Value());
  for (int left = info[5].ToNumber().Int32Value(); left > 0; --left) {
    void* event = Call<void*>(*library, "DPCTLQueue_Memcpy", queue, destination, source, size);
    Call<void>(*library, "DPCTLEvent_Delete", event);
  }
  Call<void>(*library, "DPCTLQueue_Delete", queue);
  return info.Env().Undefined();
}

Napi::Object Start(Napi::Env env, Napi::Object exports) {
  exports["copy"] = Napi::Function::New<Copy>(env, "copy");
  return exports;
}

}  // namespace

NODE_API_MODULE(queue_consumer, Start)

}  // namespace array_interface::sycl
