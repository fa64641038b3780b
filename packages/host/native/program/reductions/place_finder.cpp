#include "place_finder.hpp"

#include <algorithm>

#include "combiner.hpp"
#include "units.hpp"

namespace array_interface {

void PlaceFinder::FindAlong(std::uint64_t output, std::uint64_t first, std::uint64_t end) {
  const std::size_t chunk = ChunkOf(call_);
  std::size_t count = 0;
  for (std::uint64_t at = first; at < end && !(at > first && IsFound()); at += count) {
    count = static_cast<std::size_t>(std::min<std::uint64_t>(chunk, end - at));
    const Sources& from = elements_.AlongUpTo(output, at, 1, count);
    Compare(0, from[0], count, at - first);
  }
  *Places() += static_cast<std::int64_t>(first);
}

void PlaceFinder::FindAcross(std::uint64_t output, std::size_t width, std::uint64_t first,
                             std::uint64_t end) {
  std::size_t rows = 0;
  for (std::uint64_t at = first; at < end; at += rows) {
    rows = static_cast<std::size_t>(end - at);
    const Sources& from = elements_.AcrossUpTo(output, width, at, rows);
    FoldShape shape = RowsInTurn(rows, width, at > first);
    if (call_.row_outputs > 0) shape.row_step = elements_.RowStep();
    reduction_.places_of.across(from[0], shape, best_[0], Places(), static_cast<std::int64_t>(at));
  }
}

void PlaceFinder::FindFew(std::uint64_t output, std::size_t width) {
  const auto elements = static_cast<std::size_t>(call_.elements);
  const std::byte* const from = elements_.Along(output, 0, width * elements)[0];
  const std::size_t step = call_.output_step.value_or(elements);
  const std::size_t bytes = step * SizeOf(reduction_.types[0]);
  for (std::size_t at = 0; at < width; ++at) Compare(at, from + at * bytes, elements, 0);
}

void PlaceFinder::AmongAll(std::size_t width) const {
  const std::vector<PlaceAxis>& axes = call_.place_axes;
  if (axes.empty()) return;
  std::int64_t* const places = Places();
  for (std::size_t at = 0; at < width; ++at) {
    auto own = static_cast<std::uint64_t>(places[at]);
    std::uint64_t place = 0;
    for (auto axis = axes.rbegin(); axis != axes.rend(); own /= axis->length, ++axis) {
      place += own % axis->length * axis->step;
    }
    places[at] = static_cast<std::int64_t>(place);
  }
}

/// Compares elements with the best of an output until now.
void PlaceFinder::Compare(std::size_t at, const std::byte* values, std::size_t count,
                          std::uint64_t first) {
  reduction_.places_of.along(values, count, best_[0] + at * SizeOf(reduction_.types[0]),
                             Places() + at, static_cast<std::int64_t>(first));
}

/// Whether no element can be better: of bools.
bool PlaceFinder::IsFound() const {
  const std::byte best{reduction_.method == Method::kGreatest};
  return reduction_.types[0] == ValueType::kBool && best_[0][0] == best;
}

}  // namespace array_interface
