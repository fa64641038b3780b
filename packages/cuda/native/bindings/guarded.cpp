#include "bindings/guarded.hpp"

namespace array_interface::cuda {

Failure ToFailure(const DriverError& error) {
  const bool out_of_memory = error.result() == kOutOfMemory;
  std::string message = error.what();
  message += out_of_memory ? "; dispose arrays or use smaller ones"
                           : "; see the driver's documentation of that error";
  return {out_of_memory ? "ERR_OUT_OF_MEMORY" : "ERR_CUDA",
          "",
          std::move(message),
          error.name(),
          error.result(),
          error.call()};
}

}  // namespace array_interface::cuda
