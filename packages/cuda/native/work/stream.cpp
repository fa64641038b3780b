#include "work/stream.hpp"

#include <utility>

#include "driver/driver.hpp"

namespace array_interface::cuda {

Stream::Stream(std::shared_ptr<Context> context, StreamHandle handle, bool owned)
    : context_(std::move(context)),
      handle_(handle),
      owned_(owned),
      count_(std::in_place, LiveKind::kStream) {}

std::shared_ptr<Stream> Stream::Create(int device, bool non_blocking, int priority) {
  auto context = Context::Primary(device);
  const ContextScope scope(*context);
  StreamHandle handle = nullptr;
  Cuda().cuStreamCreateWithPriority(&handle, non_blocking ? kStreamNonBlocking : 0, priority);
  return std::shared_ptr<Stream>(new Stream(std::move(context), handle, true));
}

std::shared_ptr<Stream> Stream::Borrow(std::uint64_t handle, int device) {
  auto context = Context::Primary(device);
  const auto stream = reinterpret_cast<StreamHandle>(handle);
  if (handle != kLegacyStream && handle != kPerThreadStream) {
    ContextHandle own = nullptr;
    {
      const ContextScope scope(*context);
      Cuda().cuStreamGetCtx(stream, &own);
    }
    context = Context::Of(own);
  }
  return std::shared_ptr<Stream>(new Stream(std::move(context), stream, false));
}

void Stream::Destroy() noexcept {
  if (destroyed()) return;
  count_.reset();
  if (!owned_) return;
  try {
    const ContextScope scope(*context_);
    Cuda().cuStreamDestroy.Try(handle_);
  } catch (const DriverError&) {
    // The context is gone, and the stream with it.
  }
}

bool Stream::Query() const {
  const ContextScope scope(*context_);
  const auto& query = Cuda().cuStreamQuery;
  const Result result = query.Try(handle_);
  if (result != kSuccess && result != kNotReady) throw DriverError(result, query.name);
  return result == kSuccess;
}

std::shared_ptr<Event> Stream::Record(Event::Purpose purpose) const {
  return std::make_shared<Event>(context_, handle_, purpose);
}

void Stream::Wait(const Event& event) const {
  const ContextScope scope(*context_);
  Cuda().cuStreamWaitEvent(handle_, event.handle(), 0);
}

bool Stream::IsCapturing() const {
  const ContextScope scope(*context_);
  CaptureStatus status = kCaptureNone;
  const auto& ask = Cuda().cuStreamIsCapturing;
  const Result result = ask.Try(handle_, &status);
  if (result == kCaptureImplicit) return true;  // the legacy stream beside one that is captured
  if (result != kSuccess) throw DriverError(result, ask.name);
  return status != kCaptureNone;
}

unsigned Stream::Flags() const {
  const ContextScope scope(*context_);
  unsigned flags = 0;
  Cuda().cuStreamGetFlags(handle_, &flags);
  return flags;
}

int Stream::Priority() const {
  const ContextScope scope(*context_);
  int priority = 0;
  Cuda().cuStreamGetPriority(handle_, &priority);
  return priority;
}

}  // namespace array_interface::cuda
