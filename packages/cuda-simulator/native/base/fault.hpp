#pragma once

#include "cuda_abi.hpp"

namespace array_interface::cuda_simulator {

/// Reads CUDA_SIMULATOR_FAIL: "CALL:N[:ERROR]" or "CALL:*[:ERROR]", several with commas. Adds the
/// faults to those planned, counted from now. False: it cannot be understood, or names an unknown
/// call or error; then nothing is added.
bool plan_faults(const char* text);

/// The error planned for this call of the exported function `symbol`, or CUDA_SUCCESS.
CUresult planned_fault(const char* symbol);

/// Whether an error of this kind leaves the context unusable until it is destroyed.
bool is_sticky(CUresult error);

}  // namespace array_interface::cuda_simulator
