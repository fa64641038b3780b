#pragma once

#include <vector>

#include "array_interface.h"
#include "interpreter/reference.hpp"

// How a reader gets behind the pending work on an array in USM memory. The functions are those of
// the dpctl that the array's maker has loaded; none is loaded here. All but the last throw Refusal.

namespace array_interface {

class SharedArray;

/// A new capsule for `syclobj`: of the queue that has the pending work, or, once that has ended,
/// of the memory's context. The thread is attached; it may wait for an event.
Reference SyclObjectOf(const ai_array& array);

/// Makes a queue, a SyclQueue of dpctl, wait for the pending work, and notes that the reader's work
/// is there. Does not block.
void OrderOnSycl(const SharedArray& array, PyObject* queue);

/// Waits for the pending work. The thread is detached from Python.
void BlockOnSycl(const ai_array& array);

/// Ends an array that a reader had. What the queues have by now comes before the producer's next
/// work and before the memory's next use. Where the producer cannot be told, another thread waits
/// for them. Takes over the references of the queues.
void EndOnSycl(ai_array* array, const std::vector<void*>& queues) noexcept;

}  // namespace array_interface
