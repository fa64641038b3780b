#include "arrays_out/cuda_order.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "arrays_out/loaded_library.hpp"
#include "arrays_out/raise.hpp"
#include "interpreter/entry.hpp"
#include "threads/job_thread.hpp"

namespace array_interface {

namespace {

using Handle = void*;

#define ARRAY_INTERFACE_CUDA_FUNCTIONS(X)                                         \
  X(cuDeviceGet, cuDeviceGet, (int*, int))                                        \
  X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (Handle*, int))           \
  X(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (int))               \
  X(cuCtxPushCurrent, cuCtxPushCurrent_v2, (Handle))                              \
  X(cuCtxPopCurrent, cuCtxPopCurrent_v2, (Handle*))                               \
  X(cuCtxSynchronize, cuCtxSynchronize, ())                                       \
  X(cuThreadExchangeStreamCaptureMode, cuThreadExchangeStreamCaptureMode, (int*)) \
  X(cuStreamGetCtx, cuStreamGetCtx, (Handle, Handle*))                            \
  X(cuStreamIsCapturing, cuStreamIsCapturing, (Handle, int*))                     \
  X(cuStreamWaitEvent, cuStreamWaitEvent, (Handle, Handle, unsigned))             \
  X(cuEventCreate, cuEventCreate, (Handle*, unsigned))                            \
  X(cuEventRecord, cuEventRecord, (Handle, Handle))                               \
  X(cuEventSynchronize, cuEventSynchronize, (Handle))                             \
  X(cuEventDestroy, cuEventDestroy_v2, (Handle))

/// The functions of the driver that this process has loaded.
struct Cuda {
  void* library = FindLoaded("libcuda.so.1");
#define ARRAY_INTERFACE_FIND(name, symbol, parameters) \
  int(*name) parameters = FindSymbol<int(*) parameters>(library, #symbol);
  ARRAY_INTERFACE_CUDA_FUNCTIONS(ARRAY_INTERFACE_FIND)
#undef ARRAY_INTERFACE_FIND
};

constexpr unsigned kDisableTiming = 2;
constexpr int kRelaxedCapture = 2;
/// CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED to …_WRONG_THREAD: a graph is being captured.
constexpr int kFirstCaptureError = 900, kLastCaptureError = 908;
constexpr std::uint64_t kPerThreadStream = 2;

Handle ToStream(std::uint64_t stream) { return reinterpret_cast<Handle>(stream); }

/// Looked up once an array has CUDA work, since its maker has then loaded a driver.
const Cuda& Driver() {
  static const Cuda cuda;
  if (cuda.library != nullptr) return cuda;
  throw Refusal(
      "expected libcuda.so.1 in this process, got none; create arrays with the CUDA driver");
}

void Check(int result, const char* call) {
  if (result == 0) return;
  throw Refusal(std::string("expected ") + call + " to succeed, got CUDA error " +
                std::to_string(result));
}

#define ARRAY_INTERFACE_CALL(name, ...) Check(Driver().name(__VA_ARGS__), #name)

/// Makes an array's context current on this thread while it lives.
class ContextScope {
 public:
  explicit ContextScope(const ai_array& array) {
    Handle context = array.context != nullptr ? array.context : ContextOfOrder(array);
    if (context == nullptr) {
      ARRAY_INTERFACE_CALL(cuDeviceGet, &device_, array.tensor->dl_tensor.device.device_id);
      ARRAY_INTERFACE_CALL(cuDevicePrimaryCtxRetain, &context, device_);
      is_retained_ = true;
    }
    const int result = Driver().cuCtxPushCurrent(context);
    if (result != 0) Release();
    Check(result, "cuCtxPushCurrent");
  }
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;
  ~ContextScope() {
    Handle popped = nullptr;
    cuda_.cuCtxPopCurrent(&popped);
    Release();
  }

 private:
  /// Null for a default stream, which every context has, and if the driver does not report a
  /// context, as on a thread without one. The memory's context is then the device's primary one.
  static Handle ContextOfOrder(const ai_array& array) {
    Handle context = nullptr;
    const bool is_stream = array.order_kind == AI_CUDA_STREAM;
    if (!is_stream || reinterpret_cast<std::uint64_t>(array.order) <= kPerThreadStream)
      return nullptr;
    return Driver().cuStreamGetCtx(array.order, &context) == 0 ? context : nullptr;
  }

  void Release() {
    if (is_retained_) cuda_.cuDevicePrimaryCtxRelease(device_);
  }

  const Cuda& cuda_ = Driver();  // found before; the lookup may throw
  int device_ = 0;
  bool is_retained_ = false;
};

using Event = std::unique_ptr<void, int (*)(Handle)>;

/// Records an event after all of a stream's work so far, in the current context.
Event EventAfter(Handle stream) {
  Handle made = nullptr;
  ARRAY_INTERFACE_CALL(cuEventCreate, &made, kDisableTiming);
  Event event(made, Driver().cuEventDestroy);
  ARRAY_INTERFACE_CALL(cuEventRecord, made, stream);
  return event;
}

/// Calls `use` with an event after the pending work.
template <class Use>
void WithEvent(const ai_array& array, Use&& use) {
  if (array.order_kind == AI_CUDA_EVENT) return use(array.order);
  use(EventAfter(array.order).get());
}

/// Throws if a stream is being captured: a wait for work outside the graph would invalidate the
/// capture.
void AssertRuns(Handle stream) {
  int status = 0;
  ARRAY_INTERFACE_CALL(cuStreamIsCapturing, stream, &status);
  if (status == 0) return;
  throw Refusal(
      "expected a stream that runs its work, got one that is being captured into a graph; export "
      "the "
      "array before the capture begins");
}

/// Blocks until the context has ended all work that it has now.
void AwaitContext(const ai_array& array) {
  const ContextScope scope(array);
  int mode = kRelaxedCapture;
  Driver().cuThreadExchangeStreamCaptureMode(&mode);  // leaves other threads' captures alone
  int result = Driver().cuCtxSynchronize();
  while (result >= kFirstCaptureError && result <= kLastCaptureError) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    result = Driver().cuCtxSynchronize();
  }
}

/// If this fails, the device has failed, and nothing runs on it any more.
void AwaitAndRelease(ai_array* array) noexcept {
  try {
    AwaitContext(*array);
  } catch (...) {
  }
  array->release(array);
}

/// A thread that waits for work on unknown streams, so that no other thread has to. Never
/// destroyed: it works until the process ends.
JobThread& Patient() {
  static auto& thread = *new JobThread;
  return thread;
}

/// Notifies the producer of work on the legacy default stream. False if it cannot be notified.
bool Tell(ai_array* array) {
  if (array->consumed != nullptr) {
    array->consumed(array, AI_CUDA_STREAM, ToStream(kLegacyStream));
    return true;
  }
  if (array->order_kind != AI_CUDA_STREAM) return false;
  try {
    const ContextScope scope(*array);
    AssertRuns(array->order);
    const Event event = EventAfter(ToStream(kLegacyStream));
    ARRAY_INTERFACE_CALL(cuStreamWaitEvent, array->order, event.get(), 0);
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

std::optional<std::uint64_t> StreamToName(const ai_array& array) {
  if (array.order_kind == AI_READY) return std::nullopt;
  if (array.order_kind == AI_CUDA_STREAM) return reinterpret_cast<std::uint64_t>(array.order);
  OrderOnCuda(array, kLegacyStream);
  return kLegacyStream;
}

void OrderOnCuda(const ai_array& array, std::uint64_t stream) {
  if (array.order_kind == AI_READY || ToStream(stream) == array.order) return;
  const Detached detached;
  const ContextScope scope(array);
  AssertRuns(ToStream(stream));
  WithEvent(array, [&](Handle event) {
    ARRAY_INTERFACE_CALL(cuStreamWaitEvent, ToStream(stream), event, 0);
  });
}

void BlockOnCuda(const ai_array& array) {
  if (array.order_kind == AI_READY) return;
  const ContextScope scope(array);
  WithEvent(array, [](Handle event) { ARRAY_INTERFACE_CALL(cuEventSynchronize, event); });
}

void EndOnCuda(ai_array* array, bool has_strangers) noexcept {
  if (Tell(array) && !has_strangers) return array->release(array);
  try {
    Patient().Post([array] { AwaitAndRelease(array); });
  } catch (...) {  // no thread can be started
    AwaitAndRelease(array);
  }
}

}  // namespace array_interface
