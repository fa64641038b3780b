#include "call.hpp"
#include "context.hpp"
#include "driver_api.hpp"

using namespace array_interface::cuda_simulator;

namespace {

Context& peer_of(const Context& context, CUcontext handle) {
  Context* peer = find_context(handle);
  require(peer != nullptr && peer != &context && peer->active, CUDA_ERROR_INVALID_CONTEXT);
  return *peer;
}

}  // namespace

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return driver_call(__func__, [&] {
    require(can != nullptr);
    *can = &context_of(device) == &context_of(peer) ? 0 : 1;
  });
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  return context_call(__func__, [&](Context& context) {
    require(flags == 0);
    Context& other = peer_of(context, peer);
    std::lock_guard lock(context.mutex);
    require(context.peers.insert(&other).second, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  });
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  return context_call(__func__, [&](Context& context) {
    Context& other = peer_of(context, peer);
    std::lock_guard lock(context.mutex);
    require(context.peers.erase(&other) == 1, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
  });
}
