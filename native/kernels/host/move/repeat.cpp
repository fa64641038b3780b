#include "kernels/host/move/repeat.hpp"

#include <cstring>
#include <utility>

#include "kernels/host/vectors/block.hpp"
#include "kernels/host/vectors/units.hpp"
#include "kernels/host/vectors/wide_vectors.hpp"

namespace array_interface {
namespace {

/// Maximum bytes of an element with its repeats.
constexpr std::int64_t most_bytes = 16384;

constexpr std::size_t vector_bytes = 16;

template <typename Unit>
inline void repeat_one(unsigned char* to, const Unit& unit, std::size_t times) {
  for (std::size_t time = 0; time < times; ++time) {
    std::memcpy(to + time * sizeof(Unit), &unit, sizeof(Unit));
  }
}

/// Writes whole vectors, past the end of a unit into the next one's place.
template <typename Unit>
inline void repeat_each(unsigned char* __restrict to, const unsigned char* __restrict from,
                        std::size_t times, std::size_t count) {
  constexpr std::size_t lanes = vector_bytes / sizeof(Unit);
  const std::size_t size = times * sizeof(Unit);
  const std::size_t vectors = (times + lanes - 1) / lanes;
  const unsigned char* const end = to + count * size;
  for (std::size_t index = 0; index < count; ++index) {
    Unit unit;
    std::memcpy(&unit, from + index * sizeof(Unit), sizeof(Unit));
    const bool has_room = static_cast<std::size_t>(end - to) >= vectors * vector_bytes;
    if (lanes == 1 || !has_room) {
      repeat_one(to, unit, times);
    } else if constexpr (lanes > 1) {
      const auto repeated = typename Lanes<Unit, lanes>::Vector{} + unit;
      for (std::size_t vector = 0; vector < vectors; ++vector) {
        std::memcpy(to + vector * vector_bytes, &repeated, vector_bytes);
      }
    }
    to += size;
  }
}

void repeat_plain(unsigned char* to, const unsigned char* from, std::uint32_t unit,
                  std::size_t times, std::size_t count) {
  with_unit(unit, [&](auto zero) { repeat_each<decltype(zero)>(to, from, times, count); });
}

FOR_WIDE_VECTORS void repeat_wide(unsigned char* to, const unsigned char* from, std::uint32_t unit,
                                  std::size_t times, std::size_t count) {
  with_unit(unit, [&](auto zero) { repeat_each<decltype(zero)>(to, from, times, count); });
}

}  // namespace

StridedCopy with_repeats(StridedCopy copy) {
  const std::int64_t unit = copy.unit;
  for (std::size_t axis = 0; axis < copy.lengths.size(); ++axis) {
    const std::int64_t length = copy.lengths[axis];
    const std::int64_t stride = copy.destination_strides[axis];
    if (copy.source_strides[axis] != 0 || (stride != unit && stride != -unit)) continue;
    if (length < 2 || length > most_bytes / unit) continue;
    if (stride < 0) {
      copy.destination = static_cast<unsigned char*>(copy.destination) + (length - 1) * stride;
    }
    copy = without(std::move(copy), axis);
    copy.repeats = static_cast<std::uint32_t>(length);
    return copy;
  }
  return copy;
}

void repeat(unsigned char* to, const unsigned char* from, std::uint32_t unit, std::size_t times,
            std::size_t count) {
  static const auto chosen = has_wide_vectors() ? repeat_wide : repeat_plain;
  chosen(to, from, unit, times, count);
}

}  // namespace array_interface
