#pragma once

#include "cuda_abi.hpp"

namespace array_interface::cuda_simulator {

/// Parses CUDA_SIMULATOR_FAIL: "CALL:N[:ERROR]" or "CALL:*[:ERROR]", several separated by commas.
/// Adds the faults to those planned, counted from now. Returns false if the text is malformed, or
/// names an unknown call or error; then it adds nothing.
bool plan_faults(const char* text);

/// Returns the error planned for this call of the exported function `symbol`, or CUDA_SUCCESS.
CUresult planned_fault(const char* symbol);

/// Whether an error of this kind makes the context unusable until it is destroyed.
bool is_sticky(CUresult error);

}  // namespace array_interface::cuda_simulator
