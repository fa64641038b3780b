#pragma once

#include "base/cuda_abi.hpp"

namespace array_interface::cuda_simulator {

/// Counts a call that ended, and logs it to the file that CUDA_SIMULATOR_LOG names. The line
/// contains the exported symbol, which must be a constant, and the result. Never fails: drops what
/// it cannot write.
void note_call(const char* symbol, CUresult result) noexcept;

}  // namespace array_interface::cuda_simulator
