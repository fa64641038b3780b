#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/kernel_arguments.hpp"

namespace array_interface {

/// The arguments of one launch of copy_rows or copy_tiles (tiled_copy.cl): the axes around, and the
/// two strides.
struct TiledArguments {
  static constexpr std::size_t argument_count = KernelArguments::argument_count + 2;
  using Pointers = std::array<void*, argument_count>;

  KernelArguments layout;
  std::int64_t to_stride = 0;
  std::int64_t from_stride = 0;

  /// As KernelArguments has them.
  static constexpr std::array<int, argument_count> dpctl_types() noexcept {
    std::array<int, argument_count> types{};
    const auto first = KernelArguments::dpctl_types();
    for (std::size_t index = 0; index < first.size(); ++index) types[index] = first[index];
    types[argument_count - 2] = types[argument_count - 1] = 6;  // INT64
    return types;
  }
  Pointers dpctl_arguments() noexcept {
    Pointers pointers{};
    const auto first = layout.dpctl_arguments();
    for (std::size_t index = 0; index < first.size(); ++index) pointers[index] = first[index];
    pointers[argument_count - 2] = &to_stride;
    pointers[argument_count - 1] = &from_stride;
    return pointers;
  }
};

}  // namespace array_interface
