#pragma once

#include "allocation_table.hpp"
#include "ipc_page.hpp"

namespace array_interface::cuda_simulator {

/// Whether cuIpcGetMemHandle accepts this memory.
bool can_be_shared(const Allocation& allocation);

/// Returns a handle to device memory of this process. Throws Failure if no slots are left.
IpcHandle share(Allocation& allocation);

/// Maps the memory that another process's handle names. It belongs to no context and is in no table
/// yet. Throws Failure INVALID_VALUE for a forged or stale handle.
AllocationPtr map_shared(const IpcHandle& handle);

/// Opens the memory that another process's handle names in a context, which maps it once, however
/// often it is opened. Throws Failure as map_shared does.
AllocationPtr open_shared(Context& context, const IpcHandle& handle);

/// Reverts one opening of the memory. Returns true if it was the last. Throws Failure if none is
/// left.
bool close_shared(const AllocationPtr& allocation);

/// Closes what an ending context had opened.
void forget_opened(const Context& context);

/// Ends all sharing of an allocation that is freed.
void end_sharing(const Allocation& allocation);

}  // namespace array_interface::cuda_simulator
