#pragma once

#include "driver/driver_error.hpp"
#include "napi/failure.hpp"

namespace array_interface::cuda {

/// Converts a failed driver call to JavaScript's error: ERR_CUDA, or ERR_OUT_OF_MEMORY.
Failure ToFailure(const DriverError& error);

}  // namespace array_interface::cuda
