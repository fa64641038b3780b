#pragma once

#include <vector>

#include "array_interface.h"
#include "interpreter/reference.hpp"

// Orders readers after the pending work on an array in USM memory. The functions are those of the
// dpctl that the array's maker has loaded; none is loaded here. All but the last throw Refusal.

namespace array_interface {

class SharedArray;

/// A new capsule for `syclobj`: of the queue with the pending work, or, once that has ended, of the
/// memory's context. The thread must be attached. May block until an event completes.
Reference SyclObjectOf(const ai_array& array);

/// Makes a queue, a SyclQueue of dpctl, wait for the pending work, and records that the reader
/// works there. Does not block.
void OrderOnSycl(const SharedArray& array, PyObject* queue);

/// Blocks until the pending work has ended. The thread must be detached from Python.
void BlockOnSycl(const ai_array& array);

/// Ends an array that a reader had. The queues' work so far is ordered before the producer's next
/// work and the memory's next use. If the producer cannot be notified, another thread waits for
/// that work. Takes over the references to the queues.
void EndOnSycl(ai_array* array, const std::vector<void*>& queues) noexcept;

}  // namespace array_interface
