#pragma once

#include <cstdint>
#include <optional>

#include "array_interface.h"

// Orders readers after the pending work on an array in CUDA memory. The functions are those of the
// driver that the array's maker has loaded; none is loaded here. All throw Refusal. A reader must
// not hold Python's lock while it calls the driver, which may wait for a host function that waits
// for the lock. An array may end on any thread, attached or not; if the thread is known to be
// attached, Away detaches it.

namespace array_interface {

/// CUDA's legacy default stream. Blocking streams wait for it, and it waits for them.
constexpr std::uint64_t kLegacyStream = 1;

/// The stream with all pending work, to be named in an interface. Returns nullopt if nothing is
/// pending. The thread must be attached.
std::optional<std::uint64_t> StreamToName(const ai_array& array);

/// Makes a stream wait for the pending work. Does not block. The thread must be attached.
void OrderOnCuda(const ai_array& array, std::uint64_t stream);

/// Blocks until the pending work has ended. The thread must be detached from Python.
void BlockOnCuda(const ai_array& array);

/// Ends an array that a reader had. Its work on the legacy default stream, and on every stream that
/// this waits for, is ordered before the producer's next work and the memory's next use.
/// `has_strangers`: other streams may have work too. The memory then stays until the context has
/// ended all work that it has now, which another thread waits for.
void EndOnCuda(ai_array* array, bool has_strangers) noexcept;

}  // namespace array_interface
