#include "call.hpp"

#include <pthread.h>

#include <atomic>

#include "base/driver_thread.hpp"
#include "base/fault.hpp"
#include "state/capture.hpp"
#include "teardown.hpp"

namespace array_interface::cuda_simulator {
namespace {

std::atomic<bool> initialized{false};
std::atomic<bool> forked{false};  // after cuInit: this process has no driver

}  // namespace

void enter_call(const char* symbol) {
  require(!is_torn_down(symbol), CUDA_ERROR_DEINITIALIZED);
  require(initialized, CUDA_ERROR_NOT_INITIALIZED);
  require(!in_host_function(), CUDA_ERROR_NOT_PERMITTED);
  refuse_unsafe_call(symbol);
  const CUresult fault = planned_fault(symbol);
  if (fault == CUDA_SUCCESS) return;
  Context* context = current_context();
  if (is_sticky(fault) && context != nullptr) context->fail({fault});
  throw Failure{fault};
}

Context& require_context() {
  Context* context = current_context();
  require(context != nullptr, CUDA_ERROR_INVALID_CONTEXT);
  require(context->active, CUDA_ERROR_CONTEXT_IS_DESTROYED);
  context->require_no_failure();
  return *context;
}

void mark_initialized() {
  require(!forked, CUDA_ERROR_NOT_INITIALIZED);
  static const int once = pthread_atfork(nullptr, nullptr, [] {
    initialized = false;
    forked = true;
  });
  (void)once;
  initialized = true;
}

}  // namespace array_interface::cuda_simulator
