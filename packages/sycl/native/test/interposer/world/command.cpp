#include "command.hpp"

#include <mutex>
#include <vector>

#include "functions.hpp"

namespace array_interface::sycl::interposer {

namespace {

std::size_t ContextOf(void* queue) {
  void* context = real().Queue_GetContext(queue);
  const std::size_t hash = more().Context_Hash(context);
  real().Context_Delete(context);
  return hash;
}

/// Keeps a reference forever, where LeakSanitizer finds it.
void Keep(void* reference) {
  static std::mutex mutex;
  static auto* kept = new std::vector<void*>();
  const std::lock_guard lock(mutex);
  kept->push_back(reference);
}

}  // namespace

Queue::Queue(const void* reference, Mark on)
    : own(real().Queue_Copy(const_cast<void*>(reference))),
      hash(more().Queue_Hash(own)),
      context(ContextOf(own)),
      in_order(real().Queue_IsInOrder(own)),
      device(on) {}

// An out-of-order queue is kept: Intel's runtime for CPUs hangs if its last reference is deleted
// before its commands have ended, and other libraries delete their references at any time.
Queue::~Queue() {
  if (in_order) {
    real().Queue_Delete(own);
    return;
  }
  Keep(own);
}

Command::~Command() {
  if (event != nullptr) real().Event_Delete(event);
}

bool Command::Ended() {
  if (ended) return true;
  void* submitted_event = event;
  if (submitted_event == nullptr) return false;
  const int status = real().Event_GetCommandExecutionStatus(submitted_event);
  return status == static_cast<int>(EventStatus::kComplete);
}

}  // namespace array_interface::sycl::interposer
