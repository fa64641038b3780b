#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "memory/cuda_allocation.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

/// Memory that was kept, of the same place, kind and size, or what `make` gives. Where there is
/// none, waits at most so many milliseconds for memory on its way back. Throws DriverError, and
/// ERR_OUT_OF_MEMORY with the bytes that were asked for (`size`) and those on their way.
std::unique_ptr<CudaAllocation> Allocate(
    Napi::Env env, const Context& context, MemoryKind kind, std::size_t size, double timeout,
    const std::function<std::unique_ptr<CudaAllocation>()>& make);

}  // namespace array_interface::cuda
