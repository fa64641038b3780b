#pragma once

#include "cuda_abi.hpp"

namespace array_interface::cuda_simulator {

/// Reads CUDA_SIMULATOR_FAIL: "CALL:N[:ERROR]", several with commas. False if it cannot be
/// understood or names an unknown call or error; then nothing is planned. Called once, by
/// settings().
bool plan_faults(const char* text);

/// Counts a call of the exported function `symbol`; the error planned for this one, or
/// CUDA_SUCCESS.
CUresult planned_fault(const char* symbol);

/// Whether an error of this kind leaves the context unusable until it is destroyed.
bool is_sticky(CUresult error);

}  // namespace array_interface::cuda_simulator
