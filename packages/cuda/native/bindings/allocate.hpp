#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "memory/cuda_allocation.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

/// What `make` gives, or memory of the same place, kind and size that was kept; where there is
/// none, waits for what is on its way back, at most for so many milliseconds. Throws
/// ERR_OUT_OF_MEMORY with the bytes that were asked for (`size` of them) and those on their way,
/// DriverError.
std::unique_ptr<CudaAllocation> Allocate(
    Napi::Env env, const Context& context, MemoryKind kind, std::size_t size, double patience,
    const std::function<std::unique_ptr<CudaAllocation>()>& make);

}  // namespace array_interface::cuda
