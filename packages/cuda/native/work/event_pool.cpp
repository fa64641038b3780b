#include "work/event_pool.hpp"

#include <new>
#include <utility>

#include "work/raw_event.hpp"

namespace array_interface::cuda {

EventPool& EventPool::Get() {
  static auto& pool = *new EventPool();
  return pool;
}

EventHandle EventPool::Take(const Context& context) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = free_.find(&context);
    if (found != free_.end() && !found->second.empty()) {
      const EventHandle event = found->second.back();
      found->second.pop_back();
      return event;
    }
  }
  return MakeEvent(kEventDisableTiming);
}

void EventPool::Prepare(const Context& context) {
  if (!context.is_primary()) return;
  {
    const std::lock_guard lock(mutex_);
    if (!free_[&context].empty()) return;
  }
  Give(context, MakeEvent(kEventDisableTiming));
}

void EventPool::Give(const Context& context, EventHandle event) noexcept {
  if (context.is_primary()) {
    try {
      const std::lock_guard lock(mutex_);
      auto& free = free_[&context];
      if (free.size() < kMostFree) {
        free.push_back(event);
        return;
      }
    } catch (const std::bad_alloc&) {
    }
  }
  DestroyEvent(context, event);
}

void EventPool::Empty() noexcept {
  std::map<const Context*, std::vector<EventHandle>> free;
  {
    const std::lock_guard lock(mutex_);
    free.swap(free_);
  }
  for (const auto& [context, events] : free) {
    for (EventHandle event : events) DestroyEvent(*context, event);
  }
}

std::size_t EventPool::free() {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (const auto& [context, events] : free_) count += events.size();
  return count;
}

}  // namespace array_interface::cuda
