#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace array_interface {

/// Maximum axes of one launch of tile_copy.
inline constexpr std::size_t tile_kernel_rank = 8;

/// The arguments of one launch of tile_copy, in the order of the kernel's parameters
/// (tile_copy.cl).
struct TileArguments {
  static constexpr std::size_t argument_count = 4 + 4 * tile_kernel_rank + 5;
  using Pointers = std::array<void*, argument_count>;
  using Axes = std::array<std::int64_t, tile_kernel_rank>;

  void* destination = nullptr;
  const void* source = nullptr;
  std::uint64_t tiles = 1;
  std::uint64_t items = 1;
  Axes lengths{1, 1, 1, 1, 1, 1, 1, 1};
  Axes sides{1, 1, 1, 1, 1, 1, 1, 1};
  Axes destination_strides{};
  Axes source_strides{};
  std::uint64_t loops = 0;
  std::uint64_t reading = 0;
  std::uint32_t along = 1;
  std::uint32_t across = 0;
  std::uint32_t is_streamed = 0;

  /// DPCTL's type codes of the arguments: VOID_PTR 10, UINT64 7, UINT32 5, INT64 6.
  static constexpr std::array<int, argument_count> dpctl_types() noexcept {
    std::array<int, argument_count> types{};
    for (std::size_t index = 0; index < argument_count; ++index) types[index] = 6;
    types[0] = types[1] = 10;
    types[2] = types[3] = 7;
    types[argument_count - 5] = types[argument_count - 4] = 7;
    for (std::size_t index = argument_count - 3; index < argument_count; ++index) types[index] = 5;
    return types;
  }

  /// As in KernelArguments.
  Pointers dpctl_arguments() noexcept {
    Pointers pointers{};
    std::size_t index = 0;
    pointers[index++] = destination;
    pointers[index++] = const_cast<void*>(source);
    pointers[index++] = &tiles;
    pointers[index++] = &items;
    for (Axes* axes : {&lengths, &sides, &destination_strides, &source_strides}) {
      for (std::int64_t& value : *axes) pointers[index++] = &value;
    }
    pointers[index++] = &loops;
    pointers[index++] = &reading;
    pointers[index++] = &along;
    pointers[index++] = &across;
    pointers[index++] = &is_streamed;
    return pointers;
  }
};

}  // namespace array_interface
