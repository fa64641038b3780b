#pragma once

#include <memory>

#include "arrays_out/shared_array.hpp"
#include "interpreter/reference.hpp"

namespace array_interface {

/// A new Python object for an array: a HostArray, CudaArray or SyclArray, each of which has what is
/// true of its memory, and nothing else. The thread is attached. None: Python raised an exception.
Reference MakeArrayObject(std::shared_ptr<SharedArray> array);

}  // namespace array_interface
