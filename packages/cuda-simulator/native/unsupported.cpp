#include "unsupported.hpp"

#include "call.hpp"

using array_interface::cuda_simulator::driver_call;
using array_interface::cuda_simulator::Failure;

// The result is the same for all arguments, so none are declared.
#pragma GCC visibility push(default)
extern "C" {
#define ROW(symbol)                                                               \
  CUresult symbol();                                                              \
  CUresult symbol() {                                                             \
    return driver_call(#symbol, [] { throw Failure{CUDA_ERROR_NOT_SUPPORTED}; }); \
  }
CUDA_SIMULATOR_UNSUPPORTED(ROW)
#undef ROW
}
#pragma GCC visibility pop
