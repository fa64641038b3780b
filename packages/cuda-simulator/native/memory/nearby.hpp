#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace array_interface::cuda_simulator {

/// Sizes of ranges of bytes, by start.
using Ranges = std::map<std::uintptr_t, std::size_t>;

/// Returns the size of a range that contains the byte. Ranges may overlap, so it looks at all.
std::optional<std::size_t> size_around(const Ranges& ranges, std::uintptr_t byte);

/// What a range of bytes may have been meant to be in.
struct Neighbour {
  std::uintptr_t start;
  std::size_t size;
  std::string name;
};

/// Says how many bytes of [start, start + size) are past the end of `before`, or how far it starts
/// before `after`, whichever is nearer to `start`. `before` starts at or before `start`, and
/// `after` later. Empty if there is neither, or none at most `farthest` away.
std::string distance_text(std::uintptr_t start, std::size_t size,
                          const std::optional<Neighbour>& before,
                          const std::optional<Neighbour>& after, std::size_t farthest = SIZE_MAX);

}  // namespace array_interface::cuda_simulator
