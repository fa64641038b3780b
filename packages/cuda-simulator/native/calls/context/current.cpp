#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "state/capture.hpp"
#include "state/context.hpp"
#include "state/schedule.hpp"

using namespace array_interface::cuda_simulator;

namespace {

Context& known(CUcontext handle) {
  Context* context = find_context(handle);
  require(context != nullptr, CUDA_ERROR_INVALID_CONTEXT);
  require(context->active, CUDA_ERROR_CONTEXT_IS_DESTROYED);
  return *context;
}

/// Returns the context of a handle; the current one for NULL.
Context& meant(CUcontext handle) { return handle == nullptr ? require_context() : known(handle); }

void synchronize(Context& context) {
  refuse_captured(context);
  schedule().wait_all(context);
  context.require_no_failure();
}

}  // namespace

CUresult cuCtxGetCurrent(CUcontext* context) {
  return driver_value(__func__, context, [] {
    Context* current = current_context();
    return current == nullptr ? nullptr : current->handle();
  });
}

CUresult cuCtxSetCurrent(CUcontext context) {
  return driver_call(__func__, [&] {
    if (context == nullptr) {
      pop_context();
    } else {
      set_context(known(context));
    }
  });
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return driver_call(__func__, [&] { push_context(known(context)); });
}

CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  return driver_call(__func__, [&] {
    Context* popped = pop_context();
    require(popped != nullptr, CUDA_ERROR_INVALID_CONTEXT);
    if (context != nullptr) *context = popped->handle();
  });
}

CUresult cuCtxPushCurrent(CUcontext context) { return cuCtxPushCurrent_v2(context); }

CUresult cuCtxPopCurrent(CUcontext* context) { return cuCtxPopCurrent_v2(context); }

CUresult cuCtxGetDevice(CUdevice* device) {
  return context_value(__func__, device, [](Context& context) { return context.device; });
}

CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context) {
  return driver_value(__func__, device, [&] { return meant(context).device; });
}

CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  return driver_value(__func__, id, [&]() -> std::uint64_t { return meant(context).id; });
}

CUresult cuCtxGetFlags(unsigned* flags) {
  return context_value(__func__, flags, [](Context& context) -> unsigned { return context.flags; });
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
  return driver_value(__func__, version, [&] {
    meant(context);
    return 3020;
  });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return context_call(__func__, [&](Context&) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
  });
}

CUresult cuCtxSynchronize() {
  return context_call(__func__, [&](Context& context) { synchronize(context); });
}

CUresult cuCtxSynchronize_v2(CUcontext context) {
  return driver_call(__func__, [&] { synchronize(meant(context)); });
}
