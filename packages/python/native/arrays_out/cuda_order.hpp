#pragma once

#include <cstdint>
#include <optional>

#include "array_interface.h"

// How a reader gets behind the pending work on an array in CUDA memory. The functions are those of
// the driver that the array's maker has loaded; none is loaded here. All throw Refusal. A reader
// does not have Python's lock while it calls the driver: that may wait for a function of the host,
// which may wait for the lock. The end of an array may be on any thread, attached or not; where it
// is known to be attached, Away detaches it.

namespace array_interface {

/// CUDA's legacy default stream, which blocking streams wait for and which waits for them.
constexpr std::uint64_t kLegacyStream = 1;

/// The stream that has all pending work, to be named in an interface. None: nothing is pending. The
/// thread is attached.
std::optional<std::uint64_t> StreamToName(const ai_array& array);

/// Makes a stream wait for the pending work. Waits for none. The thread is attached.
void OrderOnCuda(const ai_array& array, std::uint64_t stream);

/// Waits for the pending work. The thread is detached from Python.
void BlockOnCuda(const ai_array& array);

/// Ends an array that a reader had. Its work on the legacy default stream, and on all that this
/// waits for, comes before the producer's next work and before the memory's next use.
/// `has_strangers`: there may be work on other streams, too; then the memory stays until the
/// context has ended all that it has by now, which another thread waits for.
void EndOnCuda(ai_array* array, bool has_strangers) noexcept;

}  // namespace array_interface
