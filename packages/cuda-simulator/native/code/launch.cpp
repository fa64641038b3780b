#include "launch.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include "base/failure.hpp"
#include "base/last_fault.hpp"
#include "base/multiprocessor.hpp"
#include "base/settings.hpp"
#include "function_attributes.hpp"
#include "reachable_memory.hpp"
#include "state/schedule.hpp"

namespace array_interface::cuda_simulator {
namespace {

using array_interface::Extent;
using array_interface::LaunchSize;
using Arguments = std::vector<std::byte>;

/// Keys that may appear in `extra`.
const void* const buffer_pointer_key = reinterpret_cast<void*>(1);
const void* const buffer_size_key = reinterpret_cast<void*>(2);

std::vector<std::byte> copy_buffer(const Function& function, void** extra) {
  const std::byte* buffer = nullptr;
  std::size_t size = 0;
  for (; *extra != nullptr; extra += 2) {
    if (*extra == buffer_pointer_key) buffer = static_cast<const std::byte*>(extra[1]);
    if (*extra == buffer_size_key) size = *static_cast<const std::size_t*>(extra[1]);
  }
  require(buffer != nullptr && size >= function.parameter_bytes);
  return {buffer, buffer + function.parameter_bytes};
}

LaunchSize size_of(const ptx::Dimensions& size) { return {size.x, size.y, size.z}; }

/// Tells a fault of a kernel: where it was, and how far from what memory. Throws Failure.
[[noreturn]] void fail(const Function& function, const ptx::Fault& fault, ReachableMemory& memory) {
  std::string text = "kernel '" + std::string(name_of(function)) + "'";
  if (!fault.where.empty()) text += ", " + fault.where;
  if (!fault.what.empty()) text += ": " + fault.what;
  if (fault.size != 0) {
    char range[60];
    std::snprintf(range, sizeof range, ": %zu bytes at 0x%zx", fault.size,
                  static_cast<std::size_t>(fault.address));
    text += range;
    text += fault.error == CUDA_ERROR_MISALIGNED_ADDRESS
                ? ", which is no multiple of that size"
                : ", " + memory.describe(fault.address, fault.size);
  }
  throw_fault(fault.error, text);
}

/// Runs the host code of a kernel, with device pointers replaced by the simulator's addresses of
/// the memory.
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
      if (bytes == nullptr) {
        const auto size = static_cast<std::size_t>(extent.high - extent.low);
        fail(function, {CUDA_ERROR_ILLEGAL_ADDRESS, {}, start, size}, memory);
      }
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
  const ptx::Launch launch{function.module->program.get(),
                           function.interpreted,
                           shape.grid,
                           shape.block,
                           shape.dynamic_shared,
                           arguments,
                           settings().kernel_steps,
                           ++launches,
                           shape.cooperative};
  const ptx::Fault fault = ptx::run(launch, memory);
  if (fault.error != CUDA_SUCCESS) fail(function, fault, memory);
  return CUDA_SUCCESS;
}

bool fits(const ptx::Dimensions& size, unsigned most_x, unsigned most_y, unsigned most_z) {
  return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= most_x && size.y <= most_y &&
         size.z <= most_z;
}

/// Whether the code accepts a block of that shape. See `.reqntid`.
bool accepts(const Function& function, const ptx::Dimensions& block) {
  if (function.interpreted == nullptr) return true;
  const std::array<unsigned, 3>& required = function.interpreted->function->required_block;
  return required[0] == 0 || required == std::array<unsigned, 3>{block.x, block.y, block.z};
}

void check(const Function& function, const LaunchShape& shape) {
  require(fits(shape.grid, 2147483647, 65535, 65535) && fits(shape.block, 1024, 1024, 64));
  require(shape.block.count() <= function.maximum_threads() &&
          shape.dynamic_shared <= function.most_dynamic_shared);
  require(accepts(function, shape.block));
  if (!shape.cooperative) return;
  const int at_a_time =
      occupancy(function, static_cast<int>(shape.block.count()), shape.dynamic_shared);
  require(shape.grid.count() <= static_cast<std::uint64_t>(at_a_time) * multiprocessors,
          CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

}  // namespace

std::vector<std::byte> copy_arguments(const Function& function, void** parameters, void** extra) {
  if (extra != nullptr) {
    require(parameters == nullptr);
    return copy_buffer(function, extra);
  }
  std::vector<std::byte> arguments(function.parameter_bytes);
  for (std::size_t index = 0; index < function.parameters.size(); ++index) {
    const auto [offset, size] = function.parameters[index];
    require(parameters != nullptr && parameters[index] != nullptr);
    std::memcpy(arguments.data() + offset, parameters[index], size);
  }
  return arguments;
}

Work launch_work(const std::shared_ptr<Function>& function, Context& context,
                 const LaunchShape& shape, std::vector<std::byte> arguments) {
  require(function->context == &context, CUDA_ERROR_INVALID_HANDLE);
  check(*function, shape);
  return [function, shape, arguments = std::move(arguments), reachable = reachable_from(context),
          in = &context] {
    ReachableMemory memory(*in, reachable);
    if (function->kernel != nullptr) return run_stand_in(*function, shape, arguments, memory);
    return interpret(*function, shape, arguments, memory);
  };
}

void enqueue_launch(const std::shared_ptr<Function>& function, Stream& stream,
                    const LaunchShape& shape, void** parameters, void** extra) {
  Work work =
      launch_work(function, *stream.context, shape, copy_arguments(*function, parameters, extra));
  schedule().enqueue(stream, std::move(work), {}, WorkKind::kernel);
}

}  // namespace array_interface::cuda_simulator
