#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/launch/kernel_arguments.hpp"

namespace array_interface {

/// The pair of axes that tiles are cut from, as block_copy (block_copy.cl) expects it.
struct TilePair {
  std::int64_t wide = 1;  ///< units along the columns
  std::int64_t high = 1;
  std::int64_t to_column = 0;
  std::int64_t to_row = 0;
  std::int64_t from_column = 0;
  std::int64_t from_row = 0;
  std::uint32_t columns = 1;  ///< units of a tile
  std::uint32_t rows = 1;
  std::uint32_t across = 1;  ///< tiles
  std::uint32_t down = 1;
  std::uint32_t pitch = 1;
  std::uint32_t flags = 0;

  /// Tiles of one pair.
  std::uint64_t tiles() const noexcept { return std::uint64_t{across} * down; }
};

/// The arguments of one launch of block_copy, in the order of the kernel's parameters.
struct BlockArguments {
  static constexpr std::size_t first = KernelArguments::argument_count;
  static constexpr std::size_t argument_count = first + 12;
  using Pointers = std::array<void*, argument_count>;

  KernelArguments layout;  ///< the axes outside the tiles
  TilePair pair;

  /// Blocks of the launch.
  std::uint64_t blocks() const noexcept { return layout.count * pair.tiles(); }

  /// As in KernelArguments.
  static constexpr std::array<std::size_t, argument_count> argument_sizes() noexcept {
    std::array<std::size_t, argument_count> sizes{};
    const auto around = KernelArguments::argument_sizes();
    for (std::size_t index = 0; index < first; ++index) sizes[index] = around[index];
    for (std::size_t index = first; index < first + 6; ++index) sizes[index] = 8;
    for (std::size_t index = first + 6; index < argument_count; ++index) sizes[index] = 4;
    return sizes;
  }
  Pointers cuda_arguments() noexcept {
    Pointers pointers{};
    const auto around = layout.cuda_arguments();
    for (std::size_t index = 0; index < first; ++index) pointers[index] = around[index];
    const std::array<void*, 12> own{
        &pair.wide,    &pair.high, &pair.to_column, &pair.to_row, &pair.from_column, &pair.from_row,
        &pair.columns, &pair.rows, &pair.across,    &pair.down,   &pair.pitch,       &pair.flags};
    for (std::size_t index = 0; index < own.size(); ++index) pointers[first + index] = own[index];
    return pointers;
  }
  static BlockArguments from_cuda(void* const* arguments) noexcept {
    BlockArguments values;
    const Pointers places = values.cuda_arguments();
    constexpr auto sizes = argument_sizes();
    for (std::size_t index = 0; index < argument_count; ++index) {
      std::memcpy(places[index], arguments[index], sizes[index]);
    }
    return values;
  }
};

}  // namespace array_interface
