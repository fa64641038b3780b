#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/host.hpp"
#include "kernels/host/convert.hpp"
#include "kernels/host/on_threads.hpp"
#include "kernels/host/pieces.hpp"
#include "kernels/host/tile.hpp"
#include "kernels/host/tiled_axes.hpp"
#include "kernels/offsets.hpp"

namespace array_interface {
namespace {

/// Bytes from which on a destination is written past the caches, which it would not stay in.
constexpr std::uint64_t stream_from = std::uint64_t{4} << 20;

/// Bytes of the destination that are worth a thread.
constexpr std::uint64_t thread_bytes = std::uint64_t{1} << 20;

/// Takes the innermost axes that are contiguous on both sides off `axes`; returns the bytes of a
/// run.
std::int64_t take_run(const StridedCopy& copy, std::vector<std::size_t>& axes) {
  std::int64_t run = copy.unit;
  for (; !axes.empty(); axes.pop_back()) {
    const std::size_t axis = axes.back();
    if (copy.destination_strides[axis] != run || copy.source_strides[axis] != run) break;
    run *= copy.lengths[axis];
  }
  return run;
}

/// Bytes of what is reversed in numbers of a type; 0 where there is nothing to reverse.
std::size_t swapped_size(ElementType type) {
  const std::size_t size = word_size(type);
  return size == 1 ? 0 : size;
}

/// Moves tiles from a source through the first cache: gathers, swaps, converts, swaps, writes; what
/// need not be done is left out.
class TileMover {
 public:
  TileMover(const StridedCopy& copy, bool is_streamed)
      : unit_(copy.unit), source_unit_(copy.source_unit()), is_streamed_(is_streamed) {
    if (!copy.conversion) return;
    const Conversion& conversion = *copy.conversion;
    convert_ = converter(conversion.to, conversion.from);
    if (conversion.swaps_source) source_swap_ = swapped_size(conversion.from);
    if (conversion.swaps_destination) swap_ = swapped_size(conversion.to);
    if (convert_ == nullptr) {  // once is enough, and twice is not at all
      source_swap_ = source_swap_ == 0 ? swap_ : source_swap_ - swap_;
      swap_ = 0;
    }
  }

  ~TileMover() {
    if (is_streamed_) finish_stream();
  }

  void Move(unsigned char* to, const unsigned char* from, const TileSides& pair) {
    const auto count = static_cast<std::size_t>(pair.to.count());
    const unsigned char* units = Gather(from + pair.from_offset, pair.from, count);
    Write(to + pair.to_offset, pair.to, Convert(units, count));
  }

 private:
  const unsigned char* Gather(const unsigned char* from, const Tile& tile, std::size_t count) {
    const bool is_dense = tile.is_dense(source_unit_);
    if (source_swap_ == 0) {
      if (is_dense && convert_ != nullptr) return from;
      gather(source_unit_, gathered_, from, tile);
      return gathered_;
    }
    if (!is_dense) gather(source_unit_, converted_, from, tile);
    const std::size_t words = count * source_unit_ / source_swap_;
    swap_bytes(gathered_, is_dense ? from : converted_, source_swap_, words);
    return gathered_;
  }

  const unsigned char* Convert(const unsigned char* units, std::size_t count) {
    if (convert_ == nullptr) return units;
    convert_(converted_, units, count);
    if (swap_ == 0) return converted_;
    swap_bytes(gathered_, converted_, swap_, count * unit_ / swap_);
    return gathered_;
  }

  void Write(unsigned char* to, const Tile& tile, const unsigned char* units) const {
    (is_streamed_ ? stream : scatter)(unit_, to, tile, units);
  }

  const std::uint32_t unit_;
  const std::uint32_t source_unit_;
  const bool is_streamed_;
  ConvertRun convert_ = nullptr;
  std::size_t source_swap_ = 0;  ///< bytes of what is reversed, 0 for nothing
  std::size_t swap_ = 0;
  alignas(64) unsigned char gathered_[tile_bytes];
  alignas(64) unsigned char converted_[tile_bytes];
};

/// Copies some elements on the calling thread.
void copy_here(const StridedCopy& copy, bool is_streamed) {
  auto* const destination = static_cast<unsigned char*>(copy.destination);
  const auto* const source = static_cast<const unsigned char*>(copy.source);
  std::vector<std::size_t> axes;  // without those of length 1, whose strides may be anything
  for (std::size_t axis = 0; axis < copy.lengths.size(); ++axis) {
    if (copy.lengths[axis] != 1) axes.push_back(axis);
  }
  if (!copy.conversion) {
    const std::int64_t run = take_run(copy, axes);
    if (run > copy.unit || axes.empty()) {
      for_each_offset(copy, axes, [&](std::int64_t to, std::int64_t from) {
        std::memmove(destination + to, source + from, static_cast<std::size_t>(run));
      });
      return;
    }
  }
  const TiledAxes tiled(copy, axes);
  TileMover mover(copy, is_streamed);
  for_each_offset(copy, axes, [&](std::int64_t to, std::int64_t from) {
    tiled.for_each_tile(
        [&](const TileSides& pair) { mover.Move(destination + to, source + from, pair); });
  });
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
  const bool is_streamed = bytes >= stream_from;
  const std::uint64_t used = std::min<std::uint64_t>(threads, bytes / thread_bytes);
  if (used < 2) return copy_here(copy, is_streamed);
  const std::vector<StridedCopy> pieces = pieces_of(copy, used);
  on_threads(pieces.size(), [&](std::size_t index) { copy_here(pieces[index], is_streamed); });
}

}  // namespace array_interface
