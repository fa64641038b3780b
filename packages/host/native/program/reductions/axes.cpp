#include "axes.hpp"

#include <numeric>
#include <utility>

namespace array_interface {

bool Repeats(const ProgramCall& call, std::size_t axis) {
  return AllRead(call, [&](const PlacedArray& array) { return array.strides[axis] == 0; });
}

std::byte* AddressAt(const PlacedArray& array, const std::vector<std::uint64_t>& shape,
                     std::size_t axes, std::uint64_t index) {
  std::int64_t before = 0;
  for (std::size_t axis = axes; axis-- > 1; index /= shape[axis]) {
    before += static_cast<std::int64_t>(index % shape[axis]) * array.strides[axis];
  }
  return array.base + before + static_cast<std::int64_t>(index) * array.strides[0];
}

void Erase(ProgramCall& call, std::size_t axis) {
  const auto at = static_cast<std::ptrdiff_t>(axis);
  call.shape.erase(call.shape.begin() + at);
  for (PlacedArray& array : call.arrays) array.strides.erase(array.strides.begin() + at);
}

void MergeRows(ProgramCall& call, std::size_t begin, std::size_t end) {
  for (std::size_t axis = end; axis-- > begin + 1;) {
    const auto length = static_cast<std::int64_t>(call.shape[axis]);
    const auto is_row = [&](const PlacedArray& array) {
      return array.strides[axis - 1] == array.strides[axis] * length;
    };
    if (!AllRead(call, is_row)) continue;
    call.shape[axis] *= call.shape[axis - 1];
    Erase(call, axis - 1);
  }
}

void TurnForwards(ProgramCall& call, std::size_t begin) {
  for (std::size_t axis = begin; axis < call.shape.size(); ++axis) {
    const auto last = static_cast<std::int64_t>(call.shape[axis]) - 1;
    if (last == 0) continue;  // whose stride may be any number
    if (!AllRead(call, [&](const PlacedArray& array) { return array.strides[axis] < 0; })) continue;
    for (PlacedArray& array : call.arrays) {
      if (array.base == nullptr) continue;
      array.base += last * array.strides[axis];
      array.strides[axis] = -array.strides[axis];
    }
  }
}

void SortAxes(ProgramCall& call, std::size_t begin, const PlacedArray& array) {
  std::vector<std::size_t> order(call.shape.size());
  std::iota(order.begin(), order.end(), 0);
  const std::vector<std::int64_t> known = array.strides;
  const auto is_farther = [&](std::size_t a, std::size_t b) {
    return DistanceOf(known[a]) > DistanceOf(known[b]);
  };
  std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(begin), order.end(), is_farther);
  const auto sort = [&](auto& values) {
    auto sorted = values;
    for (std::size_t axis = 0; axis < order.size(); ++axis) sorted[axis] = values[order[axis]];
    values = std::move(sorted);
  };
  sort(call.shape);
  for (PlacedArray& one : call.arrays) sort(one.strides);
}

void Rotate(ProgramCall& call, std::size_t begin) {
  const auto at = static_cast<std::ptrdiff_t>(begin);
  std::rotate(call.shape.begin(), call.shape.begin() + at, call.shape.end());
  for (PlacedArray& array : call.arrays) {
    std::rotate(array.strides.begin(), array.strides.begin() + at, array.strides.end());
  }
}

}  // namespace array_interface
