#include <cstring>

#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "memory/ipc_memory.hpp"
#include "state/context.hpp"

using namespace array_interface::cuda_simulator;

namespace {

CUresult open_handle(const char* symbol, CUdeviceptr* pointer, const CUipcMemHandle& bytes,
                     unsigned flags) {
  return context_call(symbol, [&](Context& context) {
    require(pointer != nullptr && flags == CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    IpcHandle handle;
    std::memcpy(&handle, bytes.reserved, sizeof handle);
    *pointer = open_shared(context, handle)->start();
  });
}

}  // namespace

CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer) {
  return context_call(__func__, [&](Context&) {
    require(handle != nullptr);
    const Place place = allocations().find(pointer, 1);
    require(place.kind == Place::Kind::allocation && can_be_shared(*place.allocation));
    const IpcHandle made = share(*place.allocation);
    std::memcpy(handle->reserved, &made, sizeof made);
  });
}

CUresult cuIpcOpenMemHandle(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned flags) {
  return open_handle(__func__, pointer, handle, flags);
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned flags) {
  return open_handle(__func__, pointer, handle, flags);
}

CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) {
  return context_call(__func__, [&](Context&) {
    const AllocationPtr found = allocations().starting_at(pointer);
    require(found != nullptr && found->source == Allocation::Source::import);
    if (!close_shared(found)) return;
    wait_for_devices(*found);
    allocations().remove(pointer, {Allocation::Kind::device});
  });
}
