#pragma once

#include "allocation.hpp"
#include "ipc_page.hpp"

namespace array_interface::cuda_simulator {

/// Whether cuIpcGetMemHandle takes this memory.
bool can_be_shared(const Allocation& allocation);

/// A handle to device memory of this process. Throws Failure where there are no slots left.
IpcHandle share(Allocation& allocation);

/// Maps what a handle of another process names; no context owns it yet and no table holds it.
/// Throws Failure INVALID_VALUE for one that is forged or stale.
AllocationPtr map_shared(const IpcHandle& handle);

/// Forgets what a context that ends had opened.
void forget_opened(const Context& context);

/// Forgets what was shared of an allocation that is freed.
void end_sharing(const Allocation& allocation);

}  // namespace array_interface::cuda_simulator
