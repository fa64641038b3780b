#include "kernels/layout/strided_copy.hpp"

#include <stdexcept>
#include <string>

namespace array_interface {
namespace {

[[noreturn]] void refuse(const std::string& expected, const std::string& got,
                         const std::string& what_to_do) {
  throw std::invalid_argument("expected " + expected + ", got " + got + "; " + what_to_do);
}

/// Throws if the furthest element is more than 2^63 bytes away.
void check_extent(const char* name, const StridedCopy& copy,
                  const std::vector<std::int64_t>& strides, std::uint32_t unit) {
  std::int64_t low = 0;
  std::int64_t high = unit;
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    std::int64_t reach = 0;
    std::int64_t& side = strides[axis] < 0 ? low : high;
    if (__builtin_mul_overflow(copy.lengths[axis] - 1, strides[axis], &reach) ||
        __builtin_add_overflow(side, reach, &side)) {
      refuse(std::string(name) + "Strides whose extent fits 63 bits",
             "stride " + std::to_string(strides[axis]) + " over length " +
                 std::to_string(copy.lengths[axis]) + " on axis " + std::to_string(axis),
             "pass strides in bytes that stay inside the allocation");
    }
  }
}

}  // namespace

void validate(const StridedCopy& copy) {
  if (kernel_name(copy.unit) == nullptr) {
    refuse("a unit of 1, 2, 4, 8 or 16 bytes", std::to_string(copy.unit),
           "split the element into units of one of these sizes");
  }
  if (copy.conversion && size_of(copy.conversion->to) != copy.unit) {
    refuse("the unit of the destination's dtype, " + std::to_string(size_of(copy.conversion->to)),
           std::to_string(copy.unit), "pass the itemsize of the destination");
  }
  const std::size_t rank = copy.lengths.size();
  if (rank > maximum_rank) {
    refuse("at most 64 axes", std::to_string(rank), "merge adjacent axes");
  }
  if (copy.destination_strides.size() != rank || copy.source_strides.size() != rank) {
    refuse(std::to_string(rank) + " strides for each side",
           std::to_string(copy.destination_strides.size()) + " for the destination and " +
               std::to_string(copy.source_strides.size()) + " for the source",
           "pass one stride for each length");
  }
  std::int64_t count = 1;
  bool empty = false;
  bool too_many = false;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::int64_t length = copy.lengths[axis];
    if (length < 0) {
      refuse("lengths of 0 or more", std::to_string(length) + " on axis " + std::to_string(axis),
             "pass the array's shape");
    }
    empty = empty || length == 0;
    too_many = too_many || __builtin_mul_overflow(count, length, &count);
  }
  if (empty) return;
  if (too_many) refuse("fewer than 2^63 units", "more", "split the copy");
  if (copy.destination == nullptr || copy.source == nullptr) {
    refuse("two pointers", copy.destination == nullptr ? "a null destination" : "a null source",
           "only a copy of no elements may have a null pointer");
  }
  check_extent("destination", copy, copy.destination_strides, copy.unit);
  check_extent("source", copy, copy.source_strides, copy.source_unit());
}

bool is_one_run(const StridedCopy& copy) {
  if (copy.conversion) return false;
  std::uint64_t run = copy.unit;  // of a copy without elements it may wrap around
  const auto is_dense = [&run](std::int64_t stride) {
    return static_cast<std::uint64_t>(stride) == run;
  };
  for (std::size_t axis = copy.lengths.size(); axis-- > 0;) {
    if (copy.lengths[axis] == 1) continue;  // its strides may be anything
    if (!is_dense(copy.destination_strides[axis])) return false;
    if (!is_dense(copy.source_strides[axis])) return false;
    run *= static_cast<std::uint64_t>(copy.lengths[axis]);
  }
  return true;
}

void require_alignment(const StridedCopy& copy) {
  if (unit_count(copy) == 0) return;
  const auto check = [&](const void* pointer, const std::vector<std::int64_t>& strides,
                         std::uint32_t unit) {
    auto bits = reinterpret_cast<std::uintptr_t>(pointer);
    for (std::size_t axis = 0; axis < copy.lengths.size(); ++axis) {
      if (copy.lengths[axis] > 1) bits |= static_cast<std::uintptr_t>(strides[axis]);
    }
    if (bits % unit == 0) return;
    refuse("pointers and strides that are multiples of " + std::to_string(unit),
           "at least one that is not", "use a smaller unit");
  };
  const auto& conversion = copy.conversion;
  check(copy.destination, copy.destination_strides,
        conversion ? word_size(conversion->to) : copy.unit);
  check(copy.source, copy.source_strides, conversion ? word_size(conversion->from) : copy.unit);
}

std::uint64_t unit_count(const StridedCopy& copy) noexcept {
  std::uint64_t count = 1;
  for (const std::int64_t length : copy.lengths) count *= static_cast<std::uint64_t>(length);
  return count;
}

StridedCopy cut(StridedCopy copy, std::size_t axis, std::int64_t start, std::int64_t length) {
  copy.destination =
      static_cast<unsigned char*>(copy.destination) + start * copy.destination_strides[axis];
  copy.source = static_cast<const unsigned char*>(copy.source) + start * copy.source_strides[axis];
  copy.lengths[axis] = length;
  return copy;
}

StridedCopy without(StridedCopy copy, std::size_t axis) {
  const auto place = static_cast<std::ptrdiff_t>(axis);
  copy.lengths.erase(copy.lengths.begin() + place);
  copy.destination_strides.erase(copy.destination_strides.begin() + place);
  copy.source_strides.erase(copy.source_strides.begin() + place);
  return copy;
}

StridedCopy without_ones(StridedCopy copy) {
  for (std::size_t axis = copy.lengths.size(); axis-- > 0;) {
    if (copy.lengths[axis] == 1) copy = without(copy, axis);
  }
  return copy;
}

const char* kernel_name(std::uint32_t unit) noexcept {
  switch (unit) {
    case 1:
      return "strided_copy_1";
    case 2:
      return "strided_copy_2";
    case 4:
      return "strided_copy_4";
    case 8:
      return "strided_copy_8";
    case 16:
      return "strided_copy_16";
    default:
      return nullptr;
  }
}

}  // namespace array_interface
