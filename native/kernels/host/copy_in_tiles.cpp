#include "kernels/host/copy_in_tiles.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "kernels/host/convert.hpp"
#include "kernels/host/gather.hpp"
#include "kernels/host/reading.hpp"
#include "kernels/host/scatter.hpp"
#include "kernels/tiling.hpp"

namespace array_interface {
namespace {

/// Bytes of what is reversed in numbers of a type; 0 where there is nothing to reverse.
std::size_t swapped_size(ElementType type) {
  const std::size_t size = word_size(type);
  return size == 1 ? 0 : size;
}

/// Bytes of a cache line: a vector that straddles two takes longer.
constexpr std::align_val_t line{64};

struct Deleter {
  void operator()(unsigned char* bytes) const noexcept { ::operator delete[](bytes, line); }
};
using Bytes = std::unique_ptr<unsigned char[], Deleter>;

/// A tile and what it came from stay in the second cache, in the first where the copy is small.
/// Runs take about an odd number of cache lines, so that packed rows do not crowd into a few sets
/// of the cache; fewer of short units, whose columns are as many.
TileSize tile_size(std::uint32_t unit, bool is_large) {
  if (!is_large) return {std::int64_t{16} * 1024, 7};
  return {std::int64_t{64} * 1024, unit <= 2 ? 15 : 31};
}

/// Memory as it comes: nothing reads what was not written.
unsigned char* kept(Bytes& memory, std::size_t bytes) {
  if (!memory) memory.reset(static_cast<unsigned char*>(::operator new[](bytes, line)));
  return memory.get();
}

/// Moves the tiles of one copy: gathers, swaps, converts, swaps, writes; what need not be done is
/// left out.
class TileMover {
 public:
  /// `is_streamed` as Scatter has it.
  TileMover(const StridedCopy& copy, const Tiling& tiling, bool is_streamed);
  ~TileMover();
  TileMover(const TileMover&) = delete;
  TileMover& operator=(const TileMover&) = delete;

  /// The tiles to come have this shape, which is always meant by this number.
  void Shape(const Tile& tile, std::size_t number);

  /// Moves the tile with these byte offsets; `following` is that of the source of the one after it.
  void Move(std::int64_t to, std::int64_t from, std::int64_t following);

 private:
  struct Known {
    Reading reading;
    std::unique_ptr<const Scatter> scatter;  ///< none where the reading writes in place
    std::size_t count;
  };

  unsigned char* First();
  unsigned char* Second();
  const unsigned char* Pack(const unsigned char* from, std::int64_t ahead);

  const StridedCopy& copy_;
  const std::size_t bytes_;  ///< of the largest tile, on either side
  const bool is_streamed_;
  ConvertRun convert_ = nullptr;
  std::size_t source_swap_ = 0;  ///< bytes of what is reversed, 0 for nothing
  std::size_t swap_ = 0;
  std::vector<std::unique_ptr<Known>> shapes_;
  const Known* shape_ = nullptr;
  Bytes first_;  ///< what is packed lies in one or the other
  Bytes second_;
};

TileMover::TileMover(const StridedCopy& copy, const Tiling& tiling, bool is_streamed)
    : copy_(copy),
      bytes_(tiling.units() * std::max(copy.unit, copy.source_unit())),
      is_streamed_(is_streamed && !tiling.is_runs()) {
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

TileMover::~TileMover() {
  if (is_streamed_) finish_stream();
}

void TileMover::Shape(const Tile& tile, std::size_t number) {
  if (shapes_.size() <= number) shapes_.resize(number + 1);
  std::unique_ptr<Known>& known = shapes_[number];
  if (!known) {
    const bool in_place = !is_streamed_ && convert_ == nullptr && source_swap_ == 0;
    known.reset(new Known{Reading(tile, copy_.source_unit(), in_place), {}, tile.count()});
    if (!known->reading.is_in_place) {
      known->scatter = std::make_unique<const Scatter>(tile, copy_.unit, is_streamed_);
    }
  }
  shape_ = known.get();
}

void TileMover::Move(std::int64_t to_offset, std::int64_t from_offset, std::int64_t following) {
  const std::int64_t ahead = following - from_offset;
  auto* const to = static_cast<unsigned char*>(copy_.destination) + to_offset;
  const auto* const from = static_cast<const unsigned char*>(copy_.source) + from_offset;
  const Scatter* const scatter = shape_->scatter.get();
  if (scatter == nullptr) return gather(shape_->reading, copy_.unit, to, from, ahead);
  // The last step writes to the destination itself where the tile is one run of it.
  const bool is_straight = !is_streamed_ && scatter->is_run();
  const auto place = [&](bool is_last, unsigned char* buffer) {
    return is_last && is_straight ? to : buffer;
  };
  const unsigned char* units = Pack(from, ahead);
  if (source_swap_ != 0) {
    unsigned char* const next = place(convert_ == nullptr, First());
    swap_bytes(next, units, source_swap_, shape_->count * copy_.source_unit() / source_swap_);
    units = next;
  }
  if (convert_ != nullptr) {
    unsigned char* const next = place(swap_ == 0, Second());
    convert_(next, units, shape_->count);
    units = next;
  }
  if (swap_ != 0) {
    unsigned char* const next = place(true, First());
    swap_bytes(next, units, swap_, shape_->count * copy_.unit / swap_);
    units = next;
  }
  if (units != to) (*scatter)(to, units);
}

unsigned char* TileMover::First() { return kept(first_, bytes_); }
unsigned char* TileMover::Second() { return kept(second_, bytes_); }

/// The units of a tile one after another: where they are, if they lie so.
const unsigned char* TileMover::Pack(const unsigned char* from, std::int64_t ahead) {
  if (shape_->reading.is_whole) return from;
  unsigned char* const packed = source_swap_ == 0 ? First() : Second();
  gather(shape_->reading, copy_.source_unit(), packed, from, ahead);
  return packed;
}

}  // namespace

void copy_in_tiles(const StridedCopy& copy, bool is_large) {
  const Tiling tiling(copy, tile_size(copy.unit, is_large));
  TileMover mover(copy, tiling, is_large);
  tiling.for_each_tile([&](const Tile& tile, std::size_t number) { mover.Shape(tile, number); },
                       [&](std::int64_t to, std::int64_t from, std::int64_t following) {
                         mover.Move(to, from, following);
                       });
}

}  // namespace array_interface
