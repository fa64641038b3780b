#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "memory/memory_ref.hpp"

namespace array_interface {

/// What work does with one memory. The reference must not have ended; several may refer to one
/// block.
struct Use {
  MemoryRef* ref;
  Access access;
};

/// A span of uses. The functions below reorder them, and raise each access to the strongest of its
/// block.
struct Uses {
  Use* first;
  std::size_t count;
};

/// Work that was enqueued.
struct Enqueued {
  std::shared_ptr<Event> event;  ///< completes after it
  /// Whether the other processes that have one of the memories open know of it; see
  /// IpcPeers::After.
  bool is_notified = true;
};

/// Calls `enqueue`, which enqueues work on all these memories, and orders it with all other work on
/// them. Throws what the queue or `enqueue` throws. In that case, nothing was enqueued, or it has
/// ended, or the memories are kept until it is known to have ended.
Enqueued Work(const std::shared_ptr<WorkQueue>& queue, Uses uses,
              const std::function<void()>& enqueue);

/// `Work` that writes `target` and reads `origin`, which may be the same.
Enqueued Work(const std::shared_ptr<WorkQueue>& queue, MemoryRef& target, MemoryRef& origin,
              const std::function<void()>& enqueue);

/// Makes a queue wait for everything that work enqueued by other code depends on.
void BeginExternalWork(const std::shared_ptr<WorkQueue>& queue, Uses uses);

/// Records work that other code enqueued, as if this library had. Its event also covers this
/// library's own work since BeginExternalWork. If it throws, that work has ended, or the memories
/// are kept until it has.
Enqueued EndExternalWork(const std::shared_ptr<WorkQueue>& queue, Uses uses);
/// `EndExternalWork` for work that writes one memory.
void EndExternalWork(const std::shared_ptr<WorkQueue>& queue, MemoryRef& ref);

}  // namespace array_interface
