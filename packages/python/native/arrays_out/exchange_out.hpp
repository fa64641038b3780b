#pragma once

#include "interpreter/reference.hpp"

namespace array_interface {

/// A capsule of DLPack's C exchange API for the types of host and CUDA arrays: both export theirs
/// by it, and a tensor that it imports becomes an array of one of them. Null, with a Python
/// exception set, if there is no memory. The thread must be attached.
///
/// Its functions refuse with BufferError, and with TypeError an object of another type. They order
/// work as `__dlpack__()` does: the legacy default stream of CUDA, which is the current work
/// stream, waits for the pending work, and the pending work of imported tensors is on that stream.
Reference ExchangeCapsule();

}  // namespace array_interface
