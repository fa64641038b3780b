#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/layout/element_type.hpp"

namespace array_interface {

/// A copy between two strided layouts of one shape, as core's copy plan produces it. Strides are in
/// bytes and may be 0 or negative. Pointers are those of the elements with all-zero indices. The
/// innermost axis comes last. The caller must refuse or stage layouts that overlap each other, and
/// destinations that overlap themselves.
struct StridedCopy {
  void* destination = nullptr;
  const void* source = nullptr;
  std::uint32_t unit = 1;  ///< bytes written per element: 1, 2, 4, 8 or 16
  std::vector<std::int64_t> lengths;
  std::vector<std::int64_t> destination_strides;
  std::vector<std::int64_t> source_strides;
  std::optional<Conversion> conversion{};  ///< none: bytes are unchanged
  std::uint32_t repeats = 1;  ///< consecutive copies of each element; only host tiles repeat

  /// Bytes written per element, including its repeats.
  std::uint32_t written() const noexcept { return unit * repeats; }

  /// Bytes read per element.
  std::uint32_t source_unit() const noexcept {
    return conversion ? size_of(conversion->from) : unit;
  }
};

/// Maximum axes of a StridedCopy.
inline constexpr std::size_t maximum_rank = 64;

/// Checks tags and sizes, and reads no element. Throws std::invalid_argument ("expected …, got …,
/// what to do") for a unit that has no kernel, more than 64 axes, arrays of unequal sizes, a
/// negative length, a null pointer if elements are copied, or byte extents or a count beyond 63
/// bits.
void validate(const StridedCopy& copy);

/// Throws std::invalid_argument unless both pointers and every used stride are multiples of `unit`,
/// or of the words of a conversion. Device kernels require that; the host accepts any address. Call
/// validate() first.
void require_alignment(const StridedCopy& copy);

/// Whether both sides have their bytes in the same order, without gaps. Call validate() first.
bool is_one_run(const StridedCopy& copy);

/// Returns the number of units that the copy moves. Call validate() first.
std::uint64_t unit_count(const StridedCopy& copy) noexcept;

/// Returns the part of a copy with `length` indices from `start` on along one axis.
StridedCopy cut(StridedCopy copy, std::size_t axis, std::int64_t start, std::int64_t length);

/// Returns the copy without one of its axes.
StridedCopy without(StridedCopy copy, std::size_t axis);

/// Returns the copy without axes of length 1, whose strides may be anything.
StridedCopy without_ones(StridedCopy copy);

/// Returns the name of the kernel that moves units of this size, or nullptr if there is none.
const char* kernel_name(std::uint32_t unit) noexcept;

}  // namespace array_interface
