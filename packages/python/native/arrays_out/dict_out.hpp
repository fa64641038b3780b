#pragma once

#include "arrays_out/shared_array.hpp"
#include "interpreter/abi.hpp"
#include "interpreter/reference.hpp"

namespace array_interface {

// The three interfaces of Python, for an array. The thread is attached. They throw Refusal, and
// PendingInPython.

/// NumPy's array interface, version 3; strides in bytes, None where it is C-contiguous.
Reference ArrayInterfaceOf(const SharedArray& array);

/// The CUDA array interface, version 3. Its stream has the work that was pending when JavaScript
/// gave the array; None: all had ended.
Reference CudaArrayInterfaceOf(const SharedArray& array);

/// The SYCL USM array interface, version 1; strides in elements. Its `syclobj` is a new capsule.
Reference SyclArrayInterfaceOf(const SharedArray& array);

/// A tuple of integers.
Reference TupleOf(const std::vector<std::int64_t>& integers);

/// A tuple that takes over its items.
Reference PairOf(Reference first, Reference second);

/// What Python made. Throws PendingInPython where it made nothing.
Reference Must(PyObject* made);

Reference TextOf(const std::string& text);

}  // namespace array_interface
