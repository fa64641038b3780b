#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/launch/kernel_arguments.hpp"
#include "kernels/layout/element_type.hpp"
#include "kernels/layout/strided_copy.hpp"

namespace array_interface {

/// Encodes a conversion for the kernel `convert`.
constexpr std::uint32_t conversion_code(const Conversion& conversion) noexcept {
  return static_cast<std::uint32_t>(conversion.from) |
         static_cast<std::uint32_t>(conversion.to) << 8 |
         (conversion.swaps_source ? 1u : 0u) << 16 |
         (conversion.swaps_destination ? 2u : 0u) << 16 | (conversion.rounds ? 4u : 0u) << 16;
}

/// Returns a type that moves units of this size unchanged.
constexpr ElementType type_of_unit(std::uint32_t unit) noexcept {
  if (unit == 1) return ElementType::kUint8;
  if (unit == 2) return ElementType::kUint16;
  if (unit == 4) return ElementType::kUint32;
  return unit == 8 ? ElementType::kUint64 : ElementType::kComplex128;
}

/// Returns the code of a copy's conversion. If bytes are unchanged, it converts a type to itself.
inline std::uint32_t conversion_code(const StridedCopy& copy) {
  if (copy.conversion) return conversion_code(*copy.conversion);
  const ElementType type = type_of_unit(copy.unit);
  return conversion_code({type, type});
}

/// The arguments of one launch of convert: those of strided_copy, and the conversion.
struct ConvertArguments {
  static constexpr std::size_t argument_count = KernelArguments::argument_count + 1;

  /// Appends one element to `values`. Defined before its uses, because clang evaluates only what it
  /// has already parsed.
  template <typename Value>
  static constexpr std::array<Value, argument_count> with(
      const std::array<Value, argument_count - 1>& values, Value last) noexcept {
    std::array<Value, argument_count> all{};
    for (std::size_t index = 0; index + 1 < argument_count; ++index) all[index] = values[index];
    all[argument_count - 1] = last;
    return all;
  }

  using Pointers = std::array<void*, argument_count>;

  KernelArguments layout;
  std::uint32_t conversion = 0;

  /// As in KernelArguments.
  static constexpr std::array<std::size_t, argument_count> argument_sizes() noexcept {
    return with(KernelArguments::argument_sizes(), std::size_t{4});
  }
  static constexpr std::array<int, argument_count> dpctl_types() noexcept {
    return with(KernelArguments::dpctl_types(), 5);  // UINT32
  }
  Pointers cuda_arguments() noexcept {
    return with(layout.cuda_arguments(), static_cast<void*>(&conversion));
  }
  Pointers dpctl_arguments() noexcept {
    return with(layout.dpctl_arguments(), static_cast<void*>(&conversion));
  }
  static ConvertArguments from_cuda(void* const* arguments) noexcept {
    ConvertArguments values{KernelArguments::from_cuda(arguments), 0};
    std::memcpy(&values.conversion, arguments[argument_count - 1], sizeof values.conversion);
    return values;
  }
};

}  // namespace array_interface
