#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "state/context.hpp"

using namespace array_interface::cuda_simulator;

namespace {

constexpr unsigned known_flags =
    0x7f;  // scheduling (4 bits), blocking sync, map host, local memory, core dump

}  // namespace

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return driver_value(__func__, context, [&] {
    Context& primary = context_of(device);
    std::lock_guard lock(primary.mutex);
    if (!primary.active) primary.activate();
    ++primary.retained;
    return primary.handle();
  });
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return driver_call(__func__, [&] {
    Context& primary = context_of(device);
    std::lock_guard lock(primary.mutex);
    require(primary.retained > 0, CUDA_ERROR_INVALID_CONTEXT);
    if (--primary.retained == 0) destroy_context(primary);
  });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return cuDevicePrimaryCtxRelease_v2(device); }

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return driver_call(__func__, [&] {
    Context& primary = context_of(device);
    std::lock_guard lock(primary.mutex);
    primary.retained = 0;
    if (primary.active) destroy_context(primary);
  });
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) { return cuDevicePrimaryCtxReset_v2(device); }

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return driver_call(__func__, [&] {
    require(flags != nullptr && active != nullptr);
    const Context& primary = context_of(device);
    *flags = primary.flags;
    *active = primary.active ? 1 : 0;
  });
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  return driver_call(__func__, [&] {
    require((flags & ~known_flags) == 0);
    context_of(device).flags = flags;
  });
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}
