#pragma once

#include <memory>

#include "arrays_out/shared_array.hpp"
#include "interpreter/reference.hpp"

namespace array_interface {

/// Makes a Python object for an array: a HostArray, CudaArray or SyclArray, with only the
/// interfaces that apply to its memory. The thread must be attached. Empty if Python raised an
/// exception.
Reference MakeArrayObject(std::shared_ptr<SharedArray> array);

/// The array of a HostArray or CudaArray. Null for another object. The thread must be attached.
const std::shared_ptr<SharedArray>* ArrayIn(PyObject* object);

}  // namespace array_interface
