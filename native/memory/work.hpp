#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "memory/memory_ref.hpp"

namespace array_interface {

/// What work does with one memory. The reference has not ended; several may hold one block.
struct Use {
  MemoryRef* ref;
  Access access;
};

/// Uses that stand in one row. These functions change their order, and raise each access to the
/// strongest of its block.
struct Uses {
  Use* first;
  std::size_t count;
};

/// Work that a queue was given.
struct Enqueued {
  std::shared_ptr<Event> event;  ///< behind it
  /// Whether the other processes that have one of its memories know of it; see IpcPeers.
  bool is_told = true;
};

/// Calls `enqueue`, which gives a queue work on all these memories, in the order of all other work
/// on them. Throws what the queue or `enqueue` throws; then nothing was enqueued, or it has ended,
/// or the memories are kept until it is known to have.
Enqueued Work(const std::shared_ptr<WorkQueue>& queue, Uses uses,
              const std::function<void()>& enqueue);

/// `Work` that writes `target` and reads `origin`, which may be the same.
Enqueued Work(const std::shared_ptr<WorkQueue>& queue, MemoryRef& target, MemoryRef& origin,
              const std::function<void()>& enqueue);

/// Makes a queue wait for all work that comes before work which others will give it.
void BeginExternalWork(const std::shared_ptr<WorkQueue>& queue, Uses uses);

/// Notes that others gave a queue work, as if we had. Its event also stands for our own work since
/// BeginExternalWork. When it throws, that work has ended, or the memories are kept until it has.
Enqueued EndExternalWork(const std::shared_ptr<WorkQueue>& queue, Uses uses);
/// `EndExternalWork` for work that writes one memory.
void EndExternalWork(const std::shared_ptr<WorkQueue>& queue, MemoryRef& ref);

}  // namespace array_interface
