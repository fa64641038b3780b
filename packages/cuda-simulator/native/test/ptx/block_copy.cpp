#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "kernels/embedded.hpp"
#include "kernels/launch/block_launch.hpp"
#include "kernels/launch/convert_arguments.hpp"
#include "kernels/launch/specialise.hpp"
#include "test/harness/gpu.hpp"

using namespace array_interface;
using namespace test;

namespace {

/// Loads this project's PTX for one conversion. The simulator recognises it, or interprets it as
/// any other PTX.
CUfunction load(std::uint32_t conversion, bool interpreted) {
  CUmodule module = nullptr;
  const std::string text =
      specialise(block_copy_ptx, conversion) + (interpreted ? "\n// interpreted\n" : "");
  OK(cuModuleLoadData(&module, text.c_str()));
  CUfunction function = nullptr;
  OK(cuModuleGetFunction(&function, module, "block_copy"));
  return function;
}

using Random = std::mt19937;

std::int64_t pick(Random& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

/// Strides of axes in some order, with or without gaps, forwards or backwards.
struct Side {
  std::vector<std::int64_t> strides;
  std::int64_t first = 0;  ///< offset of the element with all-zero indices
  std::int64_t bytes = 0;
};

Side random_side(Random& random, const std::vector<std::int64_t>& lengths, std::int64_t unit) {
  std::vector<std::size_t> order(lengths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  Side side{std::vector<std::int64_t>(lengths.size()), 0, unit};
  const bool is_plain = pick(random, 0, 1) == 1;
  for (const std::size_t axis : order) {
    const std::int64_t gap = is_plain ? 0 : unit * pick(random, 0, 4);
    const std::int64_t stride = side.bytes + gap;
    const bool is_reversed = !is_plain && pick(random, 0, 3) == 0;
    side.strides[axis] = is_reversed ? -stride : stride;
    if (is_reversed) side.first += stride * (lengths[axis] - 1);
    side.bytes = stride * lengths[axis];
  }
  return side;
}

/// Sizes of pairs: squares that tiles do not divide, and channels.
std::vector<std::int64_t> random_lengths(Random& random) {
  std::vector<std::int64_t> lengths{pick(random, 65, 140), pick(random, 30, 80)};
  if (pick(random, 0, 1) == 1) lengths = {pick(random, 600, 1400), pick(random, 2, 5)};
  if (pick(random, 0, 1) == 1) lengths.push_back(pick(random, 2, 3));
  return lengths;
}

Conversion random_conversion(Random& random) {
  const auto type = [&] { return static_cast<ElementType>(pick(random, 0, 12)); };
  return {type(), type(), pick(random, 0, 1) == 1, pick(random, 0, 1) == 1};
}

/// Returns all bytes of the destination after a copy by one of the two. Empty if it is not copied
/// in tiles.
Bytes copied(StridedCopy copy, const Side& to, const Side& from, const Bytes& bytes,
             bool interpreted) {
  const CUdeviceptr source = device_memory(bytes.size());
  const CUdeviceptr destination = device_memory(static_cast<std::size_t>(to.bytes));
  OK(cuMemcpyHtoD_v2(source, bytes.data(), bytes.size()));
  copy.source = reinterpret_cast<void*>(source + static_cast<CUdeviceptr>(from.first));
  copy.destination = reinterpret_cast<void*>(destination + static_cast<CUdeviceptr>(to.first));
  const auto made = block_copy_of(copy, 1024);
  Bytes got;
  if (made) {
    const CUfunction function = load(made->conversion, interpreted);
    for_each_block_launch(*made, [&](BlockArguments& arguments) {
      auto parameters = arguments.cuda_arguments();
      OK(cuLaunchKernel(function, static_cast<unsigned>(arguments.blocks()), 1, 1, cuda_block, 1, 1,
                        0, nullptr, parameters.data(), nullptr));
    });
    got = read(destination, static_cast<std::size_t>(to.bytes), nullptr);
  }
  OK(cuMemFree_v2(source));
  OK(cuMemFree_v2(destination));
  return got;
}

}  // namespace

CASE("ptx: block_copy does the same interpreted as in C++, for random layouts and conversions") {
  use_device();
  Random random(20261121);
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
    StridedCopy copy;
    copy.lengths = random_lengths(random);
    copy.unit = 1u << pick(random, 0, 4);
    if (round % 2 == 1) {
      copy.conversion = random_conversion(random);
      copy.unit = size_of(copy.conversion->to);
    }
    const Side to = random_side(random, copy.lengths, copy.unit);
    const Side from = random_side(random, copy.lengths, copy.source_unit());
    copy.destination_strides = to.strides;
    copy.source_strides = from.strides;
    Bytes bytes(static_cast<std::size_t>(from.bytes));
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random());
    const Bytes wanted = copied(copy, to, from, bytes, false);
    const Bytes got = copied(copy, to, from, bytes, true);
    CHECK(got == wanted);
    compared += got.empty() ? 0 : 1;
  }
  CHECK(compared >= 40);
}

CASE("ptx: block_copy fails where there are too few blocks, or others than it was written for") {
  for (const auto& [blocks, threads] : {std::pair{15u, 256u}, {16u, 128u}, {16u, 512u}}) {
    use_device();
    const CUdeviceptr source = device_memory(std::size_t{4} * 200 * 200);
    const CUdeviceptr destination = device_memory(std::size_t{4} * 200 * 200);
    const auto made = block_copy_of({reinterpret_cast<void*>(destination),
                                     reinterpret_cast<void*>(source),
                                     4,
                                     {200, 200},
                                     {800, 4},
                                     {4, 800}});
    CHECK(made && made->pair.tiles() == 16);
    if (!made) return;
    const CUfunction function = load(made->conversion, false);
    for_each_block_launch(*made, [&](BlockArguments& arguments) {
      auto parameters = arguments.cuda_arguments();
      OK(cuLaunchKernel(function, 16, 1, 1, 256, 1, 1, 0, nullptr, parameters.data(), nullptr));
      OK(cuCtxSynchronize());
      OK(cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, parameters.data(),
                        nullptr));
    });
    FAILS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
    OK(cuDevicePrimaryCtxReset_v2(0));
  }
}

CASE("ptx: block_copy reaches beyond 32 bits, and a block too many does nothing") {
  use_device();
  constexpr std::size_t piece = std::size_t{2} << 20;
  constexpr std::size_t apart = std::size_t{1} << 33;
  constexpr std::int64_t line = 1024;
  // memory at both ends of 8 GiB, and none in between
  CUdeviceptr start = 0;
  OK(cuMemAddressReserve(&start, apart + piece, 0, 0, 0));
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  const CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, 3};
  Bytes bytes(line);
  for (std::size_t index = 0; index < bytes.size(); ++index) {
    bytes[index] = static_cast<unsigned char>(index * 7 + index / 256);
  }
  for (const CUdeviceptr end : {start, start + apart}) {
    CUmemGenericAllocationHandle handle = 0;
    OK(cuMemCreate(&handle, piece, &properties, 0));
    OK(cuMemMap(end, piece, 0, handle, 0));
    OK(cuMemSetAccess(end, piece, &access, 1));
    OK(cuMemcpyHtoD_v2(end, bytes.data(), bytes.size()));
    std::reverse(bytes.begin(), bytes.end());
  }
  const CUfunction function =
      load(conversion_code({ElementType::kUint8, ElementType::kUint8}), true);
  const auto far = static_cast<std::int64_t>(apart);
  BlockArguments arguments;
  arguments.layout.count = 1;
  for (const bool are_rows : {true, false}) {
    const CUdeviceptr destination = start + (are_rows ? 4096 : 8192);
    arguments.layout.source = reinterpret_cast<void*>(start);
    arguments.layout.destination = reinterpret_cast<void*>(destination);
    if (are_rows) {
      arguments.pair = {line, 2, 1, far, 1, far, line, 1, 1, 2, line, 0};
    } else {
      arguments.pair = {line, 1, 1, 0, 1, 0, line, 1, 1, 1, line, 0};
      arguments.layout.rank = 1;
      arguments.layout.count = 2;
      arguments.layout.lengths[0] = 2;
      arguments.layout.source_strides[0] = arguments.layout.destination_strides[0] = far;
    }
    auto parameters = arguments.cuda_arguments();
    OK(cuLaunchKernel(function, 3, 1, 1, cuda_block, 1, 1, 0, nullptr, parameters.data(), nullptr));
    CHECK(read(destination, line, nullptr) == bytes);
    std::reverse(bytes.begin(), bytes.end());
    CHECK(read(destination + apart, line, nullptr) == bytes);
    std::reverse(bytes.begin(), bytes.end());
  }
}
