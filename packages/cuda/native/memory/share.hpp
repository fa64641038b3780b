#pragma once

#include <memory>

#include "memory/allocation.hpp"
#include "memory/lease.hpp"
#include "work/event.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// Memory of ours as another process opens it.
struct Share {
  /// `stream` is one of the memory's device, on which all work on it is waited for. Throws
  /// DriverError, also for memory of a kind that cannot be shared.
  static Share Of(const Allocation& memory, const Stream& stream);

  IpcHandle memory;
  std::shared_ptr<Event> ready;  ///< the sharer's work, up to now; moved as there is more
  std::shared_ptr<Event> back;   ///< the openers' work; reached while there is none
  std::shared_ptr<Lease> lease;  ///< keeps both events
};

}  // namespace array_interface::cuda
