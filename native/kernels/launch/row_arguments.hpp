#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/launch/kernel_arguments.hpp"

namespace array_interface {

/// Strides of one axis in bytes, in the destination and the source.
struct StridePair {
  std::int64_t to = 0;
  std::int64_t from = 0;
};

/// The arguments of one launch of row_copy: the rows, and the strides along them.
struct RowArguments {
  static constexpr std::size_t argument_count = KernelArguments::argument_count + 4;
  using Pointers = std::array<void*, argument_count>;

  KernelArguments layout;
  StridePair inner;
  StridePair channel;

  /// As in KernelArguments.
  static constexpr std::array<int, argument_count> dpctl_types() noexcept {
    std::array<int, argument_count> types{};
    const auto first = KernelArguments::dpctl_types();
    for (std::size_t index = 0; index < first.size(); ++index) types[index] = first[index];
    for (std::size_t index = first.size(); index < argument_count; ++index)
      types[index] = 6;  // INT64
    return types;
  }
  Pointers dpctl_arguments() noexcept {
    Pointers pointers{};
    const auto first = layout.dpctl_arguments();
    for (std::size_t index = 0; index < first.size(); ++index) pointers[index] = first[index];
    std::size_t index = first.size();
    for (std::int64_t* stride : {&inner.to, &inner.from, &channel.to, &channel.from}) {
      pointers[index++] = stride;
    }
    return pointers;
  }
};

}  // namespace array_interface
