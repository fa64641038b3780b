#pragma once

#include "base/cuda_abi.hpp"
#include "state/task.hpp"

namespace array_interface::cuda_simulator {

/// Returns the work of a copy, for a node of a graph. Throws Failure as cuMemcpy3D does.
Work copy_of(const CUDA_MEMCPY3D& plan);

/// Returns the work of a fill. Throws Failure as the calls for fills do.
Work fill_of(const CUDA_MEMSET_NODE_PARAMS& plan);

}  // namespace array_interface::cuda_simulator
