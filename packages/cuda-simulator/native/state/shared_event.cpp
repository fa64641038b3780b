#include "shared_event.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/driver_thread.hpp"
#include "base/failure.hpp"
#include "schedule.hpp"

namespace array_interface::cuda_simulator {
namespace {

/// What this process shares: its events by slot, and the pages that a thread serves.
struct Registry {
  std::mutex mutex;
  std::map<EventSlot*, std::weak_ptr<SharedEvent>> events;
  std::set<IpcPage*> served;

  std::vector<std::shared_ptr<SharedEvent>> live() {
    std::lock_guard lock(mutex);
    std::vector<std::shared_ptr<SharedEvent>> found;
    for (const auto& [slot, event] : events) {
      if (auto held = event.lock()) found.push_back(std::move(held));
    }
    return found;
  }
};

Registry& registry() { return immortal<Registry>(); }

/// Serves requests for records of this process's streams, whenever a page changes.
void serve_page(IpcPage& page) {
  for (;;) {
    const std::uint32_t seen = page.doorbell;
    for (const auto& event : registry().live()) event->serve();
    wait_for_ring(page, seen);
  }
}

void ensure_served(IpcPage& page) {
  if (!registry().served.insert(&page).second) return;
  start_driver_thread([&page] { serve_page(page); });
}

std::atomic<std::uint64_t> last_id{0};

}  // namespace

SharedEvent::SharedEvent(IpcPage& page, EventSlot& slot, bool ours)
    : page_(page), slot_(slot), id_(slot.id), ours_(ours) {}

SharedEvent::~SharedEvent() {
  {
    std::lock_guard lock(registry().mutex);
    const auto entry = registry().events.find(&slot_);
    if (entry != registry().events.end() && entry->second.expired()) registry().events.erase(entry);
  }
  if (ours_) slot_.id = 0;
}

std::shared_ptr<SharedEvent> SharedEvent::make() {
  IpcPage& page = own_page();
  std::lock_guard lock(registry().mutex);
  for (EventSlot& slot : page.events) {
    if (slot.id != 0) continue;
    for (RecordSlot& record : slot.records) record.number = 0;
    slot.next = slot.last = 0;
    slot.id = ++last_id;
    std::shared_ptr<SharedEvent> made(new SharedEvent(page, slot, true));
    registry().events[&slot] = made;
    ensure_served(page);
    return made;
  }
  throw Failure{CUDA_ERROR_OUT_OF_MEMORY};
}

std::shared_ptr<SharedEvent> SharedEvent::open(const IpcHandle& handle) {
  IpcPage& page = page_of(handle, IpcHandle::What::event);
  require(handle.slot < IpcPage::event_slots);
  EventSlot& slot = page.events[handle.slot];
  require(handle.id != 0 && slot.id == handle.id);
  std::lock_guard lock(registry().mutex);
  std::weak_ptr<SharedEvent>& known = registry().events[&slot];
  std::shared_ptr<SharedEvent> event = known.lock();
  if (event == nullptr || event->id_ != handle.id) {
    event.reset(new SharedEvent(page, slot, false));
    known = event;
  }
  ensure_served(page);
  return event;
}

IpcHandle SharedEvent::handle() const {
  const auto index = static_cast<std::size_t>(&slot_ - page_.events);
  return make_handle(IpcHandle::What::event, index, id_);
}

RecordSlot& SharedEvent::record(std::uint64_t number) const {
  return slot_.records[number % EventSlot::records_kept];
}

std::uint64_t SharedEvent::begin() {
  const std::uint64_t number = ++slot_.next;
  RecordSlot& mine = record(number);
  if (number > EventSlot::records_kept) wait(number - EventSlot::records_kept);
  mine.done = 0;
  mine.wanted = 0;
  mine.process = this_process().number;
  mine.started = this_process().started;
  mine.number = number;
  return number;
}

void SharedEvent::enqueued(std::uint64_t number, const TaskPtr& task) {
  {
    std::lock_guard lock(mutex_);
    if (!is_done(number)) pending_[number] = task;
  }
  std::uint64_t before = slot_.last;
  while (before < number && !slot_.last.compare_exchange_weak(before, number)) {
  }
}

void SharedEvent::finish(std::uint64_t number) {
  {
    std::lock_guard lock(mutex_);
    record(number).done = 1;
    pending_.erase(number);
  }
  ring(page_);
}

bool SharedEvent::is_done(std::uint64_t number) const {
  if (number == 0 || slot_.id != id_) return true;
  const RecordSlot& wanted = record(number);
  return wanted.number != number || wanted.done != 0;
}

void SharedEvent::request(std::uint64_t number) {
  std::uint32_t not_yet = 0;
  if (record(number).wanted.compare_exchange_strong(not_yet, 1)) ring(page_);
}

TaskPtr SharedEvent::task_of(std::uint64_t number) {
  std::lock_guard lock(mutex_);
  const auto entry = pending_.find(number);
  return entry == pending_.end() ? nullptr : entry->second;
}

void SharedEvent::wait(std::uint64_t number) {
  if (is_done(number)) return;
  if (const TaskPtr task = task_of(number)) return run(number, task);
  request(number);
  for (;;) {
    const std::uint32_t seen = page_.doorbell;
    const RecordSlot& wanted = record(number);
    const ProcessName owner{wanted.process, wanted.started};
    if (is_done(number) || !is_alive(owner)) return;
    wait_for_ring(page_, seen);
  }
}

/// Waits for a record of this process. Its task does not show whether a context failed.
void SharedEvent::run(std::uint64_t number, const TaskPtr& task) {
  schedule().wait(task);
  finish(number);
}

void SharedEvent::serve() {
  std::vector<std::pair<std::uint64_t, TaskPtr>> asked;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [number, task] : pending_) {
      std::uint32_t asked_for = 1;
      const bool new_request = record(number).wanted.compare_exchange_strong(asked_for, 2);
      if (new_request) asked.emplace_back(number, task);
    }
  }
  // Each on its own thread, since one may wait for work of a process that waits for another.
  for (const auto& [number, task] : asked) {
    start_driver_thread(
        [self = shared_from_this(), number = number, task = task] { self->run(number, task); });
  }
}

}  // namespace array_interface::cuda_simulator
