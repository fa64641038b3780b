#include "kernels/host/way.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/host/copy.hpp"

namespace array_interface {
namespace {

/// Bytes that a core's own caches hold at most, and those that the shared cache holds beside a
/// source.
constexpr std::uint64_t large_from = std::uint64_t{1} << 20;
constexpr std::uint64_t vast_from = std::uint64_t{8} << 20;

/// Destination bytes per thread. Starting a thread takes as long as copying a part of them.
constexpr std::uint64_t thread_bytes_of_run = std::uint64_t{1} << 20;
constexpr std::uint64_t thread_bytes_of_tiles = std::uint64_t{1} << 18;

std::uint64_t bytes_of(const StridedCopy& copy) { return unit_count(copy) * copy.unit; }

bool is_itself(const StridedCopy& copy) {
  return !copy.conversion && copy.destination == copy.source &&
         copy.destination_strides == copy.source_strides;
}

}  // namespace

Way way_of(const StridedCopy& copy) {
  if (is_itself(copy)) return Way::kNothing;
  return is_one_run(copy) ? Way::kRun : Way::kTiles;
}

Volume volume_of(const StridedCopy& copy) {
  const std::uint64_t bytes = bytes_of(copy);
  if (bytes >= vast_from) return Volume::kVast;
  return bytes >= large_from ? Volume::kLarge : Volume::kSmall;
}

std::size_t threads_for(const StridedCopy& copy, std::uint32_t most) {
  if (most < 1 || most > maximum_threads) {
    throw std::invalid_argument("expected 1 to 1024 threads, got " + std::to_string(most) +
                                "; pass the number of processors that the copy may use");
  }
  const std::uint64_t each = is_one_run(copy) ? thread_bytes_of_run : thread_bytes_of_tiles;
  const std::uint64_t worth = std::max<std::uint64_t>(bytes_of(copy) / each, 1);
  return static_cast<std::size_t>(std::min<std::uint64_t>(most, worth));
}

}  // namespace array_interface
