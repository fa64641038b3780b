#include "base/bits.hpp"
#include "base/driver_api.hpp"
#include "driver/call.hpp"
#include "memory/ipc_memory.hpp"
#include "state/context.hpp"

using namespace array_interface::cuda_simulator;

namespace {

CUresult open_handle(const char* symbol, CUdeviceptr* pointer, const CUipcMemHandle& bytes,
                     unsigned flags) {
  return context_value(symbol, pointer, [&](Context& context) {
    require(flags == CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    return open_shared(context, bits_as<IpcHandle>(bytes))->start();
  });
}

}  // namespace

CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer) {
  return context_value(__func__, handle, [&](Context&) {
    const AllocationPtr found = allocations().around(pointer);
    require(can_be_shared(*found));
    return bits_as<CUipcMemHandle>(share(*found));
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
