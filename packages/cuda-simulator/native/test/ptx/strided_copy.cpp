#include <algorithm>
#include <array>
#include <random>
#include <string>

#include "kernels/embedded.hpp"
#include "kernels/launch/kernel_arguments.hpp"
#include "test/harness/gpu.hpp"

using array_interface::kernel_rank;
using array_interface::KernelArguments;
using array_interface::strided_copy_ptx;
using namespace test;

namespace {

/// Loads this project's PTX. If `interpreted`, a different hash makes the simulator treat it as any
/// other PTX.
CUmodule load(bool interpreted) {
  CUmodule module = nullptr;
  const std::string text =
      std::string(strided_copy_ptx) + (interpreted ? "\n// interpreted\n" : "");
  OK(cuModuleLoadData(&module, text.c_str()));
  return module;
}

/// A layout inside a buffer: any order of axes, gaps, negative strides and, if `repeats`, strides
/// of zero.
struct Layout {
  std::array<std::int64_t, kernel_rank> strides{};
  std::int64_t first = 0;  ///< offset of the element with all-zero indices
  std::int64_t bytes = 0;  ///< of the buffer
};

using Random = std::mt19937;

std::int64_t pick(Random& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

Layout random_layout(Random& random, const std::array<std::int64_t, kernel_rank>& lengths, int rank,
                     std::int64_t unit, bool repeats) {
  std::vector<int> order;
  order.reserve(static_cast<std::size_t>(rank));
  for (int axis = 0; axis < rank; ++axis) order.push_back(axis);
  std::shuffle(order.begin(), order.end(), random);
  Layout layout;
  std::int64_t span = unit;
  for (const int axis : order) {
    const auto place = static_cast<std::size_t>(axis);
    if (repeats && pick(random, 0, 5) == 0) continue;
    const std::int64_t stride = span + unit * pick(random, 0, 2);
    span = stride * lengths[place];
    const bool reversed = pick(random, 0, 1) == 1;
    layout.strides[place] = reversed ? -stride : stride;
    if (reversed) layout.first += stride * (lengths[place] - 1);
  }
  layout.bytes = span;
  return layout;
}

CUfunction kernel_of(CUmodule module, std::int64_t unit) {
  CUfunction function = nullptr;
  OK(cuModuleGetFunction(&function, module, ("strided_copy_" + std::to_string(unit)).c_str()));
  return function;
}

Bytes copied(CUfunction function, KernelArguments arguments, const Layout& to, const Layout& from,
             const Bytes& bytes, unsigned grid, unsigned block) {
  const CUdeviceptr source = device_memory(bytes.size());
  const CUdeviceptr destination = device_memory(static_cast<std::size_t>(to.bytes));
  OK(cuMemcpyHtoD_v2(source, bytes.data(), bytes.size()));
  arguments.source = reinterpret_cast<void*>(source + static_cast<CUdeviceptr>(from.first));
  arguments.destination = reinterpret_cast<void*>(destination + static_cast<CUdeviceptr>(to.first));
  auto parameters = arguments.cuda_arguments();
  OK(cuLaunchKernel(function, grid, 1, 1, block, 1, 1, 0, nullptr, parameters.data(), nullptr));
  Bytes got = read(destination, static_cast<std::size_t>(to.bytes), nullptr);
  OK(cuMemFree_v2(source));
  OK(cuMemFree_v2(destination));
  return got;
}

}  // namespace

CASE("ptx: our own kernels do the same interpreted as in C++, for random layouts") {
  use_device();
  const CUmodule modules[] = {load(false), load(true)};
  Random random(20261121);
  for (int round = 0; round < 300; ++round) {
    const std::int64_t unit = std::int64_t{1} << pick(random, 0, 4);
    const int rank = static_cast<int>(pick(random, 0, kernel_rank));
    KernelArguments arguments;
    arguments.rank = rank;
    arguments.count = 1;
    for (int axis = 0; axis < rank; ++axis) {
      arguments.lengths[static_cast<std::size_t>(axis)] = pick(random, 1, 4);
      arguments.count *=
          static_cast<std::uint64_t>(arguments.lengths[static_cast<std::size_t>(axis)]);
    }
    const Layout to = random_layout(random, arguments.lengths, rank, unit, false);
    const Layout from = random_layout(random, arguments.lengths, rank, unit, true);
    arguments.destination_strides = to.strides;
    arguments.source_strides = from.strides;
    Bytes bytes(static_cast<std::size_t>(from.bytes));
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
    const auto grid = static_cast<unsigned>(pick(random, 1, 3));
    const auto block = static_cast<unsigned>(pick(random, 1, 64));
    const Bytes wanted =
        copied(kernel_of(modules[0], unit), arguments, to, from, bytes, grid, block);
    const Bytes got = copied(kernel_of(modules[1], unit), arguments, to, from, bytes, grid, block);
    CHECK(got == wanted);
  }
}

CASE("ptx: an interpreted kernel that goes one unit too far breaks the context") {
  use_device();
  KernelArguments arguments;
  arguments.rank = 1;
  arguments.count = 9;
  arguments.lengths[0] = 9;
  arguments.destination_strides[0] = arguments.source_strides[0] = 4;
  arguments.source = reinterpret_cast<void*>(device_memory(36));
  arguments.destination = reinterpret_cast<void*>(device_memory(32));
  auto parameters = arguments.cuda_arguments();
  OK(cuLaunchKernel(kernel_of(load(true), 4), 1, 1, 1, 32, 1, 1, 0, nullptr, parameters.data(),
                    nullptr));
  FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
}
