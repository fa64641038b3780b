#include "ipc/shared_event.hpp"

#include <utility>

#include "driver/driver.hpp"
#include "work/raw_event.hpp"

namespace array_interface::cuda {

SharedEvent::SharedEvent(std::shared_ptr<Context> context, StreamHandle stream)
    : context_(std::move(context)) {
  const ContextScope scope(*context_);
  handle_ = MakeEvent(kEventInterprocess | kEventDisableTiming);
  try {
    Cuda().cuEventRecord(handle_, stream);
  } catch (const DriverError&) {
    DestroyEvent(*context_, handle_);
    throw;
  }
}

SharedEvent::SharedEvent(std::shared_ptr<Context> context, const IpcHandle& handle)
    : context_(std::move(context)) {
  const ContextScope scope(*context_);
  handle_ = OpenEvent(handle);
}

SharedEvent::~SharedEvent() { DestroyEvent(*context_, handle_); }

void SharedEvent::Move(StreamHandle stream) const {
  const ContextScope scope(*context_);
  Cuda().cuEventRecord(handle_, stream);
}

IpcHandle SharedEvent::Share() const {
  const ContextScope scope(*context_);
  IpcHandle handle{};
  Cuda().cuIpcGetEventHandle(&handle, handle_);
  return handle;
}

Result SharedEvent::Status() const {
  const ContextScope scope(*context_);
  return Cuda().cuEventQuery.Try(handle_);
}

bool SharedEvent::Query() {
  const Result result = Status();
  if (result != kSuccess && result != kNotReady) {
    throw DriverError(result, Cuda().cuEventQuery.name);
  }
  return result == kSuccess;
}

Progress SharedEvent::Poll() noexcept {
  Result result = kNotReady;
  try {
    result = Status();
  } catch (const DriverError& error) {
    result = error.result();
  }
  if (result == kNotReady) return Progress::kPending;
  return result == kSuccess || EndsWork(result) ? Progress::kComplete : Progress::kUnknown;
}

Dependencies SharedEvent::HoldUp(const Context& context, StreamHandle stream) const {
  const ContextScope scope(context);
  Cuda().cuStreamWaitEvent(stream, handle_, 0);
  return context_.get() == &context ? Dependencies() : Dependencies{context_.get()};
}

}  // namespace array_interface::cuda
