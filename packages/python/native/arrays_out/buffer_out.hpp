#pragma once

#include "arrays_out/shared_array.hpp"
#include "arrays_out/type_spec.hpp"

namespace array_interface {

/// Fills in a view of an array in host memory, as PEP 3118 has it; `flags` say what the consumer
/// asks for. All that the view points to lives as long as the array. Throws Refusal.
void FillView(const SharedArray& array, BufferView* view, int flags);

}  // namespace array_interface
