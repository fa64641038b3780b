#include "nearby.hpp"

#include <algorithm>

namespace array_interface::cuda_simulator {
namespace {

/// How far the byte is behind the end: 0 for one inside.
std::size_t gap_after(const Neighbour& before, std::uintptr_t byte) {
  const std::size_t offset = byte - before.start;
  return offset < before.size ? 0 : offset - before.size;
}

}  // namespace

std::optional<std::size_t> size_around(const Ranges& ranges, std::uintptr_t byte) {
  const auto found = std::find_if(ranges.begin(), ranges.end(), [byte](const auto& range) {
    return byte >= range.first && byte - range.first < range.second;
  });
  if (found == ranges.end()) return std::nullopt;
  return found->second;
}

std::string distance_text(std::uintptr_t start, std::size_t size,
                          const std::optional<Neighbour>& before,
                          const std::optional<Neighbour>& after, std::size_t farthest) {
  const std::size_t past = before ? gap_after(*before, start) : SIZE_MAX;
  const std::size_t short_of = after ? after->start - start : SIZE_MAX;
  if (std::min(past, short_of) > farthest) return "";
  if (after && short_of < past) return std::to_string(short_of) + " bytes before " + after->name;
  if (!before) return "";
  const std::size_t beyond = start + size - before->start - before->size;
  return std::to_string(beyond) + " bytes past the end of " + before->name;
}

}  // namespace array_interface::cuda_simulator
