#include "base/driver_api.hpp"
#include "base/handle_table.hpp"
#include "driver/call.hpp"

// Notifications that a process exceeds its budget of memory. No device here has one, so no function
// is ever called.

using namespace array_interface::cuda_simulator;

namespace {

struct Listener {
  CUdevice device = 0;
};

HandleTable<Listener, CUasyncCallbackHandle>& listeners() {
  return immortal<HandleTable<Listener, CUasyncCallbackHandle>, 0xA5, CUDA_ERROR_INVALID_VALUE>();
}

}  // namespace

CUresult cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback function, void*,
                                           CUasyncCallbackHandle* handle) {
  return driver_value(__func__, handle, [&] {
    require(function != nullptr);
    return listeners().add(std::make_shared<Listener>(Listener{context_of(device).device}));
  });
}

CUresult cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle handle) {
  return driver_call(__func__, [&] {
    require(listeners().get(handle)->device == context_of(device).device);
    listeners().remove(handle);
  });
}
