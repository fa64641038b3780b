#pragma once

#include "arrays_out/shared_array.hpp"
#include "interpreter/abi.hpp"
#include "interpreter/reference.hpp"

namespace array_interface {

// Python's three interfaces of an array. The thread must be attached. They throw Refusal and
// PendingInPython.

/// NumPy's array interface, version 3. Strides are in bytes, or None if the array is C-contiguous.
Reference ArrayInterfaceOf(const SharedArray& array);

/// The CUDA array interface, version 3. Its stream has the work that was pending when JavaScript
/// exported the array; None if all of it had ended.
Reference CudaArrayInterfaceOf(const SharedArray& array);

/// The SYCL USM array interface, version 1. Strides are in elements. Its `syclobj` is a new
/// capsule.
Reference SyclArrayInterfaceOf(const SharedArray& array);

/// A tuple of integers.
Reference TupleOf(const std::vector<std::int64_t>& integers);

/// Takes over a result of Python's. Throws PendingInPython if it is null.
Reference Must(PyObject* made);

Reference TextOf(const std::string& text);

}  // namespace array_interface
