#pragma once

#include "allocation.hpp"
#include "ipc_page.hpp"

namespace array_interface::cuda_simulator {

/// Whether cuIpcGetMemHandle accepts this memory.
bool can_be_shared(const Allocation& allocation);

/// A handle to device memory of this process. Throws Failure where no slots are left.
IpcHandle share(Allocation& allocation);

/// Maps the memory that another process's handle names. No context owns it yet, and no table has
/// it. Throws Failure INVALID_VALUE for a handle that is forged or stale.
AllocationPtr map_shared(const IpcHandle& handle);

/// Forgets what an ending context had opened.
void forget_opened(const Context& context);

/// Forgets what was shared of an allocation that is freed.
void end_sharing(const Allocation& allocation);

}  // namespace array_interface::cuda_simulator
