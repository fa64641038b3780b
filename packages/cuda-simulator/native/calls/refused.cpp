#include <atomic>

#include "base/notice.hpp"
#include "base/refused_api.hpp"
#include "driver/call.hpp"

using namespace array_interface::cuda_simulator;

namespace {

/// Refuses a call, and says so once for each function.
CUresult refuse(const char* symbol, std::atomic<bool>& is_reported) {
  return driver_call(symbol, [&] {
    if (!is_reported.exchange(true)) {
      notice(std::string(symbol) + " is not implemented: CUDA_ERROR_NOT_SUPPORTED");
    }
    throw Failure{CUDA_ERROR_NOT_SUPPORTED};
  });
}

}  // namespace

// The result is the same for all arguments, so the functions declare none.
#pragma GCC visibility push(default)
extern "C" {
#define ROW(base, symbol, version)               \
  CUresult symbol();                             \
  CUresult symbol() {                            \
    static std::atomic<bool> is_reported{false}; \
    return refuse(#symbol, is_reported);         \
  }
CUDA_SIMULATOR_REFUSED(ROW)
#undef ROW
}
#pragma GCC visibility pop
