#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "memory/cuda_allocation.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

/// Returns cached memory of the same device, kind and size, or what `make` returns. If there is no
/// memory, blocks for at most `timeout` milliseconds for memory that is being freed. Throws
/// DriverError, and ERR_OUT_OF_MEMORY with the bytes that were requested (`size`) and the bytes
/// that are being freed.
std::unique_ptr<CudaAllocation> Allocate(
    Napi::Env env, const Context& context, MemoryKind kind, std::size_t size, double timeout,
    const std::function<std::unique_ptr<CudaAllocation>()>& make);

}  // namespace array_interface::cuda
