#include "driver/failure.hpp"

namespace array_interface::cuda {

Failure ToFailure(const DriverError& error) {
  return {error.result() == kOutOfMemory ? "ERR_OUT_OF_MEMORY" : "ERR_CUDA",
          "",
          error.what(),
          error.name(),
          error.result(),
          error.call()};
}

}  // namespace array_interface::cuda
