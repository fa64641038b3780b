#pragma once

#include "arrays_out/shared_array.hpp"
#include "interpreter/abi.hpp"

namespace array_interface {

/// Fills in a PEP 3118 view of an array in host memory. `flags` are the consumer's request.
/// Everything that the view points to lives as long as the array. Throws Refusal.
void FillView(const SharedArray& array, Py_buffer* view, int flags);

}  // namespace array_interface
