#include "work/event.hpp"

#include <utility>

#include "driver/driver.hpp"

namespace array_interface::cuda {

namespace {

// NOLINTNEXTLINE(bugprone-exception-escape): there is a driver, so Cuda() does not throw
void Destroy(EventHandle event) noexcept {
  if (Cuda().cuEventDestroy.IsBound()) Cuda().cuEventDestroy.Try(event);
}

unsigned FlagsFor(Event::Purpose purpose) {
  switch (purpose) {
    case Event::Purpose::kTiming:
      return 0;
    case Event::Purpose::kInterprocess:
      return kEventInterprocess | kEventDisableTiming;
    case Event::Purpose::kOrder:
      break;
  }
  return kEventDisableTiming;
}

}  // namespace

Event::Event(std::shared_ptr<Context> context, StreamHandle stream, Purpose purpose)
    : context_(std::move(context)) {
  const ContextScope scope(*context_);
  Cuda().cuEventCreate(&handle_, FlagsFor(purpose));
  try {
    Cuda().cuEventRecord(handle_, stream);
  } catch (const DriverError&) {
    Destroy(handle_);
    throw;
  }
}

Event::Event(std::shared_ptr<Context> context, const IpcHandle& handle)
    : context_(std::move(context)) {
  const ContextScope scope(*context_);
  Cuda().cuIpcOpenEventHandle(&handle_, handle);
}

Event::~Event() {
  try {
    const ContextScope scope(*context_);
    Destroy(handle_);
  } catch (const DriverError&) {
    // The context is gone, and the event with it.
  }
}

void Event::Move(StreamHandle stream) const {
  const ContextScope scope(*context_);
  Cuda().cuEventRecord(handle_, stream);
}

bool Event::Query() const {
  const ContextScope scope(*context_);
  const auto& query = Cuda().cuEventQuery;
  const Result result = query.Try(handle_);
  if (result != kSuccess && result != kNotReady) throw DriverError(result, query.name);
  return result == kSuccess;
}

void Event::Synchronize() const {
  const ContextScope scope(*context_);
  Cuda().cuEventSynchronize(handle_);
}

float Event::Since(const Event& start) const {
  const ContextScope scope(*context_);
  float milliseconds = 0;
  Cuda().cuEventElapsedTime(&milliseconds, start.handle(), handle_);
  return milliseconds;
}

IpcHandle Event::Share() const {
  const ContextScope scope(*context_);
  IpcHandle handle{};
  Cuda().cuIpcGetEventHandle(&handle, handle_);
  return handle;
}

}  // namespace array_interface::cuda
