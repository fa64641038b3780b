#include "kernel_launch.hpp"

#include <atomic>
#include <stdexcept>

#include "call.hpp"
#include "driver_api.hpp"
#include "launch_arguments.hpp"
#include "library.hpp"
#include "reachable_memory.hpp"
#include "schedule.hpp"
#include "settings.hpp"

namespace array_interface::cuda_simulator {
namespace {

using array_interface::Extent;
using array_interface::LaunchSize;
using Arguments = std::vector<std::byte>;

LaunchSize size_of(const ptx::Dimensions& size) { return {size.x, size.y, size.z}; }

/// Runs the stand-in, with the device pointers replaced by the places where the simulator has the
/// memory.
CUresult run_stand_in(const Function& function, const LaunchShape& shape, Arguments arguments,
                      ReachableMemory& memory) {
  const std::uint32_t conversion = function.module->conversion;
  std::vector<void*> addresses;
  addresses.reserve(function.parameters.size());
  for (const ptx::Parameter& parameter : function.parameters) {
    addresses.push_back(arguments.data() + parameter.offset);
  }
  try {
    const auto extents = function.kernel->extents(addresses.data(), conversion);
    function.kernel->check_grid(addresses.data(), size_of(shape.grid), size_of(shape.block));
    for (const Extent& extent : extents) {
      if (extent.low == extent.high) continue;
      const auto start = reinterpret_cast<std::uintptr_t>(extent.pointer) +
                         static_cast<std::uintptr_t>(extent.low);
      std::byte* bytes = memory.find(start, static_cast<std::size_t>(extent.high - extent.low));
      if (bytes == nullptr) return CUDA_ERROR_ILLEGAL_ADDRESS;
      const void* pointer = bytes - extent.low;
      std::memcpy(addresses[extent.argument], &pointer, sizeof pointer);
    }
  } catch (const std::invalid_argument&) {
    return CUDA_ERROR_LAUNCH_FAILED;
  }
  function.kernel->run(addresses.data(), conversion);
  return CUDA_SUCCESS;
}

CUresult interpret(const Function& function, const LaunchShape& shape, const Arguments& arguments,
                   ReachableMemory& memory) {
  static std::atomic<std::uint64_t> launches{0};
  ptx::Launch launch;
  launch.program = function.module->program.get();
  launch.kernel = function.interpreted;
  launch.grid = shape.grid;
  launch.block = shape.block;
  launch.dynamic_shared = shape.dynamic_shared;
  launch.parameters = arguments;
  launch.most_steps = settings().kernel_steps;
  launch.number = ++launches;
  return ptx::run(launch, memory);
}

bool fits(const ptx::Dimensions& size, unsigned most_x, unsigned most_y, unsigned most_z) {
  return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= most_x && size.y <= most_y &&
         size.z <= most_z;
}

void check(const Function& function, const LaunchShape& shape) {
  const ptx::Kernel* kernel = function.interpreted;
  const unsigned most_threads = kernel == nullptr ? 1024 : kernel->maximum_threads;
  require(fits(shape.grid, 2147483647, 65535, 65535) && fits(shape.block, 1024, 1024, 64));
  require(shape.block.count() <= most_threads &&
          shape.dynamic_shared <= function.most_dynamic_shared);
}

}  // namespace

void enqueue_launch(const std::shared_ptr<Function>& function, Stream& stream,
                    const LaunchShape& shape, void** parameters, void** extra) {
  require(function->context == stream.context, CUDA_ERROR_INVALID_HANDLE);
  check(*function, shape);
  const Arguments arguments = copy_arguments(*function, parameters, extra);
  const auto reachable = reachable_from(*stream.context);
  schedule().enqueue(stream, [function, shape, arguments, reachable] {
    ReachableMemory memory(reachable);
    if (function->kernel != nullptr) return run_stand_in(*function, shape, arguments, memory);
    return interpret(*function, shape, arguments, memory);
  });
}

}  // namespace array_interface::cuda_simulator

using namespace array_interface::cuda_simulator;

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void** parameters, void** extra) {
  return context_call(__func__, [&](Context& context) {
    const auto queue = find_stream(stream, context);
    const auto found = function_of(function, *queue->context);
    const LaunchShape shape{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared};
    enqueue_launch(found, *queue, shape, parameters, extra);
  });
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters,
                          void** extra) {
  return context_call(__func__, [&](Context& context) {
    require(config != nullptr);
    const auto queue = find_stream(config->hStream, context);
    const LaunchShape shape{{config->gridDimX, config->gridDimY, config->gridDimZ},
                            {config->blockDimX, config->blockDimY, config->blockDimZ},
                            config->sharedMemBytes};
    enqueue_launch(function_of(function, *queue->context), *queue, shape, parameters, extra);
  });
}
