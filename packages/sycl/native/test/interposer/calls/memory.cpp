// Memory: what is allocated, and whether it is freed too early.

#include <memory>
#include <utility>
#include <vector>

#include "calls.hpp"
#include "world/functions.hpp"
#include "world/world.hpp"

namespace array_interface::sycl::interposer {

namespace {

template <class AllocateReal>
void* Allocate(UsmType type, std::size_t size, void* reference, AllocateReal allocate) {
  if (reference == nullptr) return nullptr;
  std::shared_ptr<Queue> queue;
  {
    Visit visit;
    visit->settings.ThrowOnce();
    queue = visit->QueueOf(reference);
    if (!visit->memory.Reserve(type, queue->device, size, visit->settings.limit)) {
      visit->journal.Note({"refuse", queue->number, 0, {}, size});
      visit.Drop(std::move(queue));
      return nullptr;
    }
  }
  void* pointer = allocate();
  Visit visit;
  if (pointer == nullptr) {
    visit->memory.Unreserve(type, queue->device, size);
  } else {
    visit->memory.Add(pointer, {type, queue->device, queue->context, size, {}});
    visit->journal.Note({"allocate", queue->number, 0, {pointer}, size});
  }
  visit.Drop(std::move(queue));
  return pointer;
}

/// Waits for all submitted commands, like drivers that free memory only when their device is idle.
void WaitForAll(Visit& visit) {
  visit->schedule.ForceAll(nullptr, visit.lock());
  const auto queues = visit->Queues();
  const auto orphans = std::move(visit->orphans);
  visit->orphans.clear();
  visit.lock().unlock();
  for (const auto& queue : queues) {
    try {
      real().Queue_Wait(queue->own);
    } catch (...) {
      // its owner gets the error when it waits itself
    }
  }
  for (const auto& orphan : orphans) {
    if (orphan->event != nullptr) more().Event_Wait(orphan->event);
  }
  visit.lock().lock();
}

template <class FreeReal>
void Free(void* pointer, FreeReal free_it) {
  {
    Visit visit;
    visit->journal.Note({"free", 0, 0, {pointer}});
    Allocation allocation;
    const bool is_known = visit->memory.Remove(pointer, allocation);
    if (visit->memory.IsKept(pointer)) {
      return visit->journal.Fault(Text(pointer) + " was freed twice");
    }
    if (!is_known && pointer != nullptr) {
      visit->journal.Fault(Text(pointer) + ", which is not allocated, was freed");
    }
    const bool in_time = visit->CheckFree(pointer, allocation);
    // its users go on: nothing else may get the memory, and the process survives to report the
    // fault
    const bool stays = is_known && (!in_time || visit->settings.keeps_freed);
    if (stays) visit->memory.Keep(pointer, allocation.size);
    if (visit->settings.blocking_free) WaitForAll(visit);
    for (auto& user : allocation.users) visit.Drop(std::move(user));
    if (stays) return;
  }
  free_it(pointer);
}

}  // namespace

void* Calls::aligned_alloc_device(std::size_t alignment, std::size_t size, void* queue) {
  return Allocate(UsmType::kDevice, size, queue,
                  [&] { return real().aligned_alloc_device(alignment, size, queue); });
}

void* Calls::aligned_alloc_shared(std::size_t alignment, std::size_t size, void* queue) {
  return Allocate(UsmType::kShared, size, queue,
                  [&] { return real().aligned_alloc_shared(alignment, size, queue); });
}

void* Calls::aligned_alloc_host(std::size_t alignment, std::size_t size, void* queue) {
  return Allocate(UsmType::kHost, size, queue,
                  [&] { return real().aligned_alloc_host(alignment, size, queue); });
}

void* Calls::malloc_device(std::size_t size, void* queue) {
  return Allocate(UsmType::kDevice, size, queue, [&] { return more().malloc_device(size, queue); });
}

void* Calls::malloc_shared(std::size_t size, void* queue) {
  return Allocate(UsmType::kShared, size, queue, [&] { return more().malloc_shared(size, queue); });
}

void* Calls::malloc_host(std::size_t size, void* queue) {
  return Allocate(UsmType::kHost, size, queue, [&] { return more().malloc_host(size, queue); });
}

void Calls::free_with_context(void* pointer, void* context) {
  Free(pointer, [context](void* freed) { real().free_with_context(freed, context); });
}

void Calls::free_with_queue(void* pointer, void* queue) {
  Free(pointer, [queue](void* freed) { more().free_with_queue(freed, queue); });
}

int Calls::USM_GetPointerType(void* pointer, void* context) {
  if (Visit()->memory.IsKept(pointer)) return static_cast<int>(UsmType::kUnknown);
  return real().USM_GetPointerType(pointer, context);
}

void* Calls::USM_GetPointerDevice(void* pointer, void* context) {
  void* device = real().USM_GetPointerDevice(pointer, context);
  Visit visit;
  const Allocation* allocation = visit->memory.Around(pointer);
  const bool has_device = allocation != nullptr && allocation->type != UsmType::kHost;
  return visit->Give(Kind::kDevice, device, has_device ? allocation->device : kFirst);
}

}  // namespace array_interface::sycl::interposer
