#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace array_interface {

/// Maximum axes of one launch of a strided_copy kernel.
inline constexpr std::size_t kernel_rank = 6;

/// The arguments of one launch of strided_copy_<unit>, in the order of the kernel's parameters.
/// Lengths count units. Strides are in bytes, and may be 0 or negative. The innermost axis comes
/// last. Only the first `rank` entries of each array are used; `count` is the product of the
/// lengths.
struct KernelArguments {
  static constexpr std::size_t argument_count = 4 + 3 * kernel_rank;
  using Pointers = std::array<void*, argument_count>;

  void* destination = nullptr;
  const void* source = nullptr;
  std::uint64_t count = 0;
  std::int32_t rank = 0;
  std::array<std::int64_t, kernel_rank> lengths{1, 1, 1, 1, 1, 1};
  std::array<std::int64_t, kernel_rank> destination_strides{};
  std::array<std::int64_t, kernel_rank> source_strides{};

  /// Bytes of each argument.
  static constexpr std::array<std::size_t, argument_count> argument_sizes() noexcept {
    std::array<std::size_t, argument_count> sizes{};
    for (std::size_t index = 0; index < argument_count; ++index) sizes[index] = 8;
    sizes[3] = 4;
    return sizes;
  }

  /// DPCTL's type codes of the arguments: VOID_PTR 10, UINT64 7, INT32 4, INT64 6.
  static constexpr std::array<int, argument_count> dpctl_types() noexcept {
    std::array<int, argument_count> types{};
    for (std::size_t index = 0; index < argument_count; ++index) types[index] = 6;
    types[0] = types[1] = 10;
    types[2] = 7;
    types[3] = 4;
    return types;
  }

  /// Returns the `kernelParams` of cuLaunchKernel: the address of each value. They point into this
  /// object.
  Pointers cuda_arguments() noexcept {
    Pointers pointers = scalar_arguments();
    pointers[0] = &destination;
    pointers[1] = &source;
    return pointers;
  }

  /// Returns the `args` of DPCTLQueue_SubmitRange and _SubmitNDRange: the two USM pointers
  /// themselves, then the address of each scalar. They point into this object.
  Pointers dpctl_arguments() noexcept {
    Pointers pointers = scalar_arguments();
    pointers[0] = destination;
    pointers[1] = const_cast<void*>(source);
    return pointers;
  }

  /// Reads the values back from the result of cuda_arguments(), or from a copy with the same types.
  static KernelArguments from_cuda(void* const* arguments) noexcept {
    KernelArguments values;
    const Pointers places = values.cuda_arguments();
    constexpr auto sizes = argument_sizes();
    for (std::size_t index = 0; index < argument_count; ++index) {
      std::memcpy(places[index], arguments[index], sizes[index]);
    }
    return values;
  }

 private:
  Pointers scalar_arguments() noexcept {
    Pointers pointers{};
    pointers[2] = &count;
    pointers[3] = &rank;
    for (std::size_t axis = 0; axis < kernel_rank; ++axis) {
      pointers[4 + axis] = &lengths[axis];
      pointers[4 + kernel_rank + axis] = &destination_strides[axis];
      pointers[4 + 2 * kernel_rank + axis] = &source_strides[axis];
    }
    return pointers;
  }
};

static_assert(sizeof(void*) == 8, "kernel pointers are 64 bits wide");

}  // namespace array_interface
