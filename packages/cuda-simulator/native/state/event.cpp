#include "event.hpp"

#include <utility>

#include "base/failure.hpp"
#include "base/settings.hpp"
#include "capture.hpp"
#include "schedule.hpp"
#include "stream.hpp"

namespace array_interface::cuda_simulator {

void Mark::refuse_captured() const {
  require(task == nullptr || task->capture == nullptr, CUDA_ERROR_CAPTURED_EVENT);
}

void Mark::wait() const {
  refuse_captured();
  if (shared != nullptr) {
    shared->wait(number);
  } else {
    schedule().wait(task);
  }
}

bool Mark::look(std::atomic<int>& looks) const {
  refuse_captured();
  if (shared == nullptr) return schedule().look(task, looks);
  if (!shared->is_done(number)) {
    if (settings().schedule != Settings::Schedule::lazy) {
      shared->request(number);
      return false;
    }
    if (++looks < settings().lazy_queries) return false;
    shared->wait(number);
  }
  looks = 0;
  return true;
}

void Mark::enqueue_wait(Stream& stream) const {
  if (task != nullptr && task->capture != nullptr) {
    capture_wait(stream, *task);
  } else if (shared != nullptr) {
    const auto wait_for_other = [event = shared, number = number] {
      event->wait(number);
      return CUDA_SUCCESS;
    };
    schedule().enqueue(stream, wait_for_other, {nullptr});  // its need is outside any capture
  } else if (task != nullptr) {
    schedule().enqueue(stream, nullptr, {task});
  }
}

Mark Event::last_record() {
  std::lock_guard lock(mutex);
  if (shared == nullptr) return {recorded, nullptr, 0};
  const std::uint64_t number = shared->last();
  if (shared->is_done(number)) return {};
  if (TaskPtr own = shared->task_of(number)) return {std::move(own), nullptr, 0};
  return {nullptr, shared, number};
}

void Event::record(Stream& stream) {
  std::shared_ptr<SharedEvent> seen_by_others;
  {
    std::lock_guard lock(mutex);
    looks = 0;
    seen_by_others = shared;
    if (shared == nullptr) {
      recorded = schedule().enqueue(stream, nullptr);
      return;
    }
  }
  require(capture_info(stream).status == 0, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  const std::uint64_t number = seen_by_others->begin();  // may block
  const auto finish = [seen_by_others, number] {
    seen_by_others->finish(number);
    return CUDA_SUCCESS;
  };
  seen_by_others->enqueued(number, schedule().enqueue(stream, finish));
}

std::shared_ptr<SharedEvent> Event::share() {
  std::lock_guard lock(mutex);
  if (shared != nullptr) return shared;
  shared = SharedEvent::make();
  if (recorded != nullptr) shared->enqueued(shared->begin(), recorded);
  recorded = nullptr;
  return shared;
}

void Event::adopt(std::shared_ptr<SharedEvent> event) {
  std::lock_guard lock(mutex);
  shared = std::move(event);
}

}  // namespace array_interface::cuda_simulator
