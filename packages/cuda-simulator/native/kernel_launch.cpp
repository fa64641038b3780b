#include <cstring>
#include <set>
#include <stdexcept>
#include <vector>

#include "call.hpp"
#include "copy.hpp"
#include "driver_api.hpp"
#include "module.hpp"
#include "schedule.hpp"

using namespace array_interface::cuda_simulator;
using array_interface::Extent;
using array_interface::HostKernel;

namespace {

/// Values that may follow one another in `extra`.
const void* const buffer_pointer_key = reinterpret_cast<void*>(1);
const void* const buffer_size_key = reinterpret_cast<void*>(2);

/// The arguments of a launch, copied as the driver copies them.
class Arguments {
 public:
  /// From `kernelParams`: the address of each value.
  static Arguments from_parameters(const HostKernel& kernel, void** parameters) {
    Arguments arguments(kernel);
    for (std::size_t index = 0; index < kernel.argument_count; ++index) {
      require(parameters[index] != nullptr);
      std::memcpy(&arguments.values_[index], parameters[index], kernel.argument_sizes[index]);
    }
    return arguments;
  }

  /// From `extra`: one buffer in which each value is aligned to its size.
  static Arguments from_buffer(const HostKernel& kernel, void** extra) {
    const char* buffer = nullptr;
    std::size_t size = 0;
    for (; *extra != nullptr; extra += 2) {
      if (*extra == buffer_pointer_key) buffer = static_cast<const char*>(extra[1]);
      if (*extra == buffer_size_key) size = *static_cast<const std::size_t*>(extra[1]);
    }
    require(buffer != nullptr);
    Arguments arguments(kernel);
    std::size_t offset = 0;
    for (std::size_t index = 0; index < kernel.argument_count; ++index) {
      const std::size_t bytes = kernel.argument_sizes[index];
      offset = (offset + bytes - 1) / bytes * bytes;
      require(offset + bytes <= size);
      std::memcpy(&arguments.values_[index], buffer + offset, bytes);
      offset += bytes;
    }
    return arguments;
  }

  /// The address of each value, as HostKernel takes them.
  std::vector<void*> addresses() {
    std::vector<void*> addresses;
    for (std::uint64_t& value : values_) addresses.push_back(&value);
    return addresses;
  }

  void set_pointer(std::size_t index, const void* pointer) {
    values_[index] = reinterpret_cast<std::uintptr_t>(pointer);
  }

 private:
  explicit Arguments(const HostKernel& kernel) : values_(kernel.argument_count) {
    for (std::size_t index = 0; index < kernel.argument_count; ++index) {
      require(kernel.argument_sizes[index] <= sizeof(std::uint64_t), CUDA_ERROR_NOT_SUPPORTED);
    }
  }

  std::vector<std::uint64_t> values_;
};

using Reachable = std::set<const Context*>;

/// Finds what a kernel touches through one pointer, as the device would.
bool map_extent(const Extent& extent, const Reachable& reachable, Mapped& mapped) {
  const auto pointer = reinterpret_cast<std::uintptr_t>(extent.pointer);
  const std::uintptr_t start = pointer + static_cast<std::uintptr_t>(extent.low);
  const auto size = static_cast<std::size_t>(extent.high - extent.low);
  if (!map_for_device(start, size, mapped)) return false;
  const bool own = mapped.allocation->kind != Allocation::Kind::device ||
                   reachable.count(mapped.allocation->context) != 0;
  return own;
}

/// Runs the stand-in with the device pointers replaced by where the simulator keeps the memory.
CUresult run(const HostKernel& kernel, Arguments arguments, const Reachable& reachable) {
  std::vector<void*> addresses = arguments.addresses();
  std::vector<Mapped> held;
  try {
    for (const Extent& extent : kernel.extents(addresses.data())) {
      if (extent.low == extent.high) continue;
      if (!map_extent(extent, reachable, held.emplace_back())) return CUDA_ERROR_ILLEGAL_ADDRESS;
      arguments.set_pointer(extent.argument, held.back().bytes - extent.low);
    }
  } catch (const std::invalid_argument&) {
    return CUDA_ERROR_LAUNCH_FAILED;
  }
  kernel.run(addresses.data());
  return CUDA_SUCCESS;
}

bool fits(unsigned x, unsigned y, unsigned z, unsigned most_x, unsigned most_y, unsigned most_z) {
  return x >= 1 && y >= 1 && z >= 1 && x <= most_x && y <= most_y && z <= most_z;
}

}  // namespace

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void** parameters, void** extra) {
  return context_call(__func__, [&](Context& context) {
    const auto found = functions().find(reinterpret_cast<std::uintptr_t>(function));
    require(found != nullptr, CUDA_ERROR_INVALID_HANDLE);
    const auto queue = find_stream(stream, context);
    require(found->context == queue->context, CUDA_ERROR_INVALID_HANDLE);
    require(fits(grid_x, grid_y, grid_z, 2147483647, 65535, 65535) &&
            fits(block_x, block_y, block_z, 1024, 1024, 64) &&
            std::uint64_t{block_x} * block_y * block_z <= 1024 && shared <= 49152);
    require((parameters == nullptr) != (extra == nullptr));
    const HostKernel& kernel = *found->kernel;
    const Arguments arguments = parameters != nullptr
                                    ? Arguments::from_parameters(kernel, parameters)
                                    : Arguments::from_buffer(kernel, extra);
    Reachable reachable;
    {
      std::lock_guard lock(queue->context->mutex);
      reachable = queue->context->peers;
    }
    reachable.insert(queue->context);
    schedule().enqueue(
        *queue, [&kernel, arguments, reachable] { return run(kernel, arguments, reachable); });
  });
}
