#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/host.hpp"
#include "kernels/host/copy_in_tiles.hpp"
#include "kernels/host/on_threads.hpp"
#include "kernels/host/pieces.hpp"

namespace array_interface {
namespace {

/// Bytes from which on a destination is written past the caches, which it would not stay in.
constexpr std::uint64_t large_from = std::uint64_t{4} << 20;

/// Bytes of the destination that are worth a thread.
constexpr std::uint64_t thread_bytes = std::uint64_t{1} << 20;

/// Whether the bytes of both sides lie in one order, without gaps.
bool is_one_run(const StridedCopy& copy) {
  if (copy.conversion) return false;
  std::int64_t run = copy.unit;
  for (std::size_t axis = copy.lengths.size(); axis-- > 0;) {
    if (copy.lengths[axis] == 1) continue;  // its strides may be anything
    if (copy.destination_strides[axis] != run || copy.source_strides[axis] != run) return false;
    run *= copy.lengths[axis];
  }
  return true;
}

/// Whether both sides are the same elements, which stay what they are.
bool is_itself(const StridedCopy& copy) {
  return !copy.conversion && copy.destination == copy.source &&
         copy.destination_strides == copy.source_strides;
}

/// Copies some elements on the calling thread.
void copy_here(const StridedCopy& copy, bool is_large) {
  if (is_itself(copy)) return;
  if (!is_one_run(copy)) return copy_in_tiles(copy, is_large);
  std::memmove(copy.destination, copy.source, unit_count(copy) * copy.unit);
}

}  // namespace

void strided_copy(const StridedCopy& copy, std::uint32_t threads) {
  validate(copy);
  if (threads < 1 || threads > maximum_threads) {
    throw std::invalid_argument("expected 1 to 1024 threads, got " + std::to_string(threads) +
                                "; give the number of processors that the copy may use");
  }
  if (unit_count(copy) == 0) return;
  const std::uint64_t bytes = unit_count(copy) * copy.unit;
  const bool is_large = bytes >= large_from;
  const std::uint64_t used = std::min<std::uint64_t>(threads, bytes / thread_bytes);
  if (used < 2) return copy_here(copy, is_large);
  const std::vector<StridedCopy> pieces = pieces_of(copy, used);
  on_threads(pieces.size(), [&](std::size_t index) { copy_here(pieces[index], is_large); });
}

}  // namespace array_interface
