#pragma once

#include "cuda_abi.hpp"

namespace array_interface::cuda_simulator {

/// Thrown inside a driver call to return an error from it, and inside device work to end it.
struct Failure {
  CUresult error;
  const char* text =
      nullptr;  ///< of a fault of device work, never freed; null: nothing more to say
};

/// Throws Failure INVALID_VALUE unless `condition` holds.
inline void require(bool condition, CUresult error = CUDA_ERROR_INVALID_VALUE) {
  if (!condition) throw Failure{error};
}

}  // namespace array_interface::cuda_simulator
