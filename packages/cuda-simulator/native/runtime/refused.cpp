#include <atomic>
#include <cstdio>

#include "refused_api.hpp"
#include "state.hpp"

using namespace array_interface::cuda_runtime;

namespace {

/// Refuses a call, and says so once for each function.
cudaError_t refuse(const char* name, std::atomic<bool>& is_reported) {
  if (!is_reported.exchange(true)) {
    std::fprintf(stderr, "cuda-simulator: %s is not implemented: cudaErrorNotSupported\n", name);
  }
  return note(cudaErrorNotSupported);
}

}  // namespace

// The result is the same for all arguments, so the functions declare none.
#define ROW(name)                                \
  CUDART_EXPORT name() {                         \
    static std::atomic<bool> is_reported{false}; \
    return refuse(#name, is_reported);           \
  }
CUDART_REFUSED(ROW)
#undef ROW
