#include "base/driver_api.hpp"
#include "base/settings.hpp"
#include "driver/call.hpp"
#include "state/context.hpp"

using namespace array_interface::cuda_simulator;

namespace {

Context& peer_of(const Context& context, CUcontext handle) {
  Context* peer = find_context(handle);
  require(peer != nullptr && peer != &context && peer->active, CUDA_ERROR_INVALID_CONTEXT);
  return *peer;
}

}  // namespace

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  return driver_value(__func__, can, [&] {
    return settings().can_access(context_of(device).device, context_of(peer).device) ? 1 : 0;
  });
}

CUresult cuDeviceGetP2PAttribute(int* value, int attribute, CUdevice source, CUdevice destination) {
  return driver_value(__func__, value, [&] {
    require(attribute >= 1 && attribute <= 5);
    const Context& from = context_of(source);
    const Context& to = context_of(destination);
    require(&from != &to, CUDA_ERROR_INVALID_DEVICE);
    const bool can = settings().can_access(from.device, to.device);
    return attribute <= 2 && can ? 1 : 0;  // performance rank and access only
  });
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  return context_call(__func__, [&](Context& context) {
    require(flags == 0);
    Context& other = peer_of(context, peer);
    require(other.device == context.device || settings().can_access(context.device, other.device),
            CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
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
