#pragma once

#include "allocation_table.hpp"
#include "ipc_page.hpp"

namespace array_interface::cuda_simulator {

/// Whether cuIpcGetMemHandle accepts this memory.
bool can_be_shared(const Allocation& allocation);

/// A handle to device memory of this process. Throws Failure where no slots are left.
IpcHandle share(Allocation& allocation);

/// Maps the memory that another process's handle names. No context owns it yet, and no table has
/// it. Throws Failure INVALID_VALUE for a handle that is forged or stale.
AllocationPtr map_shared(const IpcHandle& handle);

/// Opens the memory that another process's handle names in a context, which has it once, however
/// often it is opened. Throws Failure as map_shared does.
AllocationPtr open_shared(Context& context, const IpcHandle& handle);

/// Takes back one opening of the memory. True: it was the last. Throws Failure where none is left.
bool close_shared(const AllocationPtr& allocation);

/// Forgets what an ending context had opened.
void forget_opened(const Context& context);

/// Forgets what was shared of an allocation that is freed.
void end_sharing(const Allocation& allocation);

}  // namespace array_interface::cuda_simulator
