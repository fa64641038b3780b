#include <future>
#include <memory>

#include "driver_probe.hpp"

namespace array_interface::cuda {

namespace {

Napi::Value CreateStream(const Napi::CallbackInfo& info) {
  StreamHandle stream = nullptr;
  Call(info.Env(), "cuStreamCreate", &stream, kStreamNonBlocking);
  return Address(info.Env(), stream);
}

Napi::Value DestroyStream(const Napi::CallbackInfo& info) {
  Call(info.Env(), "cuStreamDestroy_v2", ReadAddress<StreamHandle>(info[0]));
  return info.Env().Undefined();
}

Napi::Value QueryStream(const Napi::CallbackInfo& info) {
  const auto stream = ReadAddress<StreamHandle>(info[0]);
  const Result result = TryCall(info.Env(), "cuStreamQuery", stream);
  if (result != kSuccess && result != kNotReady) {
    throw Napi::Error::New(info.Env(), "cuStreamQuery: " + std::to_string(result));
  }
  return Napi::Boolean::New(info.Env(), result == kSuccess);
}

Napi::Value SynchronizeStream(const Napi::CallbackInfo& info) {
  Call(info.Env(), "cuStreamSynchronize", ReadAddress<StreamHandle>(info[0]));
  return info.Env().Undefined();
}

/// Enqueues work that ends when the function that this returns is called, and not before. The work
/// keeps the gate alive itself, so the function may be collected.
Napi::Value Hold(const Napi::CallbackInfo& info) {
  using ExitGate = std::promise<void>;
  auto gate = std::make_shared<ExitGate>();
  auto* const held = std::make_unique<std::shared_ptr<ExitGate>>(gate).release();
  const auto wait = [](void* data) {
    const std::unique_ptr<std::shared_ptr<ExitGate>> held(
        static_cast<std::shared_ptr<ExitGate>*>(data));
    (*held)->get_future().wait();
  };
  Call(info.Env(), "cuLaunchHostFunc", ReadAddress<StreamHandle>(info[0]),
       static_cast<void (*)(void*)>(wait), static_cast<void*>(held));
  return Napi::Function::New(info.Env(), [gate](const Napi::CallbackInfo&) { gate->set_value(); });
}

Napi::Value Memset(const Napi::CallbackInfo& info) {
  Call(info.Env(), "cuMemsetD8Async", DevicePointer{ReadNumber(info[1])},
       static_cast<unsigned char>(info[2].ToNumber().Uint32Value()), ReadLength(info[3]),
       ReadAddress<StreamHandle>(info[0]));
  return info.Env().Undefined();
}

/// Memory of the pool of the stream's device, in the stream's order.
Napi::Value AllocateAsync(const Napi::CallbackInfo& info) {
  DevicePointer pointer = 0;
  Call(info.Env(), "cuMemAllocAsync", &pointer, ReadLength(info[1]),
       ReadAddress<StreamHandle>(info[0]));
  return Napi::BigInt::New(info.Env(), pointer);
}

Napi::Value FreeAsync(const Napi::CallbackInfo& info) {
  Call(info.Env(), "cuMemFreeAsync", DevicePointer{ReadNumber(info[1])},
       ReadAddress<StreamHandle>(info[0]));
  return info.Env().Undefined();
}

Napi::Value Copy(const Napi::CallbackInfo& info) {
  Call(info.Env(), "cuMemcpyAsync", DevicePointer{ReadNumber(info[1])},
       DevicePointer{ReadNumber(info[2])}, ReadLength(info[3]), ReadAddress<StreamHandle>(info[0]));
  return info.Env().Undefined();
}

Napi::Value CreateEvent(const Napi::CallbackInfo& info) {
  EventHandle event = nullptr;
  Call(info.Env(), "cuEventCreate", &event, kEventDisableTiming);
  return Address(info.Env(), event);
}

Napi::Value RecordEvent(const Napi::CallbackInfo& info) {
  Call(info.Env(), "cuEventRecord", ReadAddress<EventHandle>(info[0]),
       ReadAddress<StreamHandle>(info[1]));
  return info.Env().Undefined();
}

Napi::Value WaitEvent(const Napi::CallbackInfo& info) {
  Call(info.Env(), "cuStreamWaitEvent", ReadAddress<StreamHandle>(info[0]),
       ReadAddress<EventHandle>(info[1]), 0u);
  return info.Env().Undefined();
}

Napi::Value DestroyEvent(const Napi::CallbackInfo& info) {
  Call(info.Env(), "cuEventDestroy_v2", ReadAddress<EventHandle>(info[0]));
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

/// The driver tells a thread's mode only in exchange for another: the second call puts it back.
Napi::Value ThreadCaptureMode(const Napi::CallbackInfo& info) {
  int mode = kCaptureRelaxed;
  Call(info.Env(), "cuThreadExchangeStreamCaptureMode", &mode);
  const int found = mode;
  Call(info.Env(), "cuThreadExchangeStreamCaptureMode", &mode);
  return Napi::Number::New(info.Env(), found);
}

}  // namespace

void BindStreams(Napi::Object exports) {
  Export<CreateStream>(exports, "createStream");
  Export<DestroyStream>(exports, "destroyStream");
  Export<QueryStream>(exports, "queryStream");
  Export<SynchronizeStream>(exports, "synchronizeStream");
  Export<Hold>(exports, "hold");
  Export<Memset>(exports, "memset");
  Export<AllocateAsync>(exports, "allocateAsync");
  Export<FreeAsync>(exports, "freeAsync");
  Export<Copy>(exports, "copy");
  Export<CreateEvent>(exports, "createEvent");
  Export<RecordEvent>(exports, "recordEvent");
  Export<WaitEvent>(exports, "waitEvent");
  Export<DestroyEvent>(exports, "destroyEvent");
  Export<BeginCapture>(exports, "beginCapture");
  Export<EndCapture>(exports, "endCapture");
  Export<ThreadCaptureMode>(exports, "captureMode");
}

}  // namespace array_interface::cuda
