#include "work/event.hpp"

#include <utility>

#include "driver/driver.hpp"

namespace array_interface::cuda {

namespace {

void Destroy(EventHandle event) noexcept {
  if (Cuda().cuEventDestroy.IsBound()) Cuda().cuEventDestroy.Try(event);
}

}  // namespace

Event::Event(std::shared_ptr<Context> context, StreamHandle stream) : context_(std::move(context)) {
  const ContextScope scope(*context_);
  Cuda().cuEventCreate(&handle_, kEventDisableTiming);
  try {
    Cuda().cuEventRecord(handle_, stream);
  } catch (const DriverError&) {
    Destroy(handle_);
    throw;
  }
}

Event::~Event() {
  try {
    const ContextScope scope(*context_);
    Destroy(handle_);
  } catch (const DriverError&) {
    // The context is gone, and the event with it.
  }
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

}  // namespace array_interface::cuda
