#include "kernels/host/copy_in_tiles.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "kernels/host/convert/convert.hpp"
#include "kernels/host/move/gather.hpp"
#include "kernels/host/move/repeat.hpp"
#include "kernels/host/steps.hpp"
#include "kernels/host/tile_move.hpp"
#include "kernels/host/vectors/past_caches.hpp"
#include "kernels/layout/tiling.hpp"

namespace array_interface {
namespace {

/// Bytes of a cache line. Vectors that straddle two lines are slower.
constexpr std::align_val_t line{64};

struct Deleter {
  void operator()(unsigned char* bytes) const noexcept { ::operator delete[](bytes, line); }
};
using Bytes = std::unique_ptr<unsigned char[], Deleter>;

/// Moves the tiles of one copy: gathers, swaps, converts, swaps, writes. Skips needless steps. Only
/// writes if a tile has the same units as the previous one.
class TileMover {
 public:
  TileMover(const StridedCopy& copy, const Tiling& tiling, Volume volume);
  ~TileMover();
  TileMover(const TileMover&) = delete;
  TileMover& operator=(const TileMover&) = delete;

  /// Sets the shape of the tiles that follow. A number always means the same shape.
  void Shape(const Tile& tile, std::size_t number);

  /// Moves the tile at these byte offsets; `following` is the next tile's offset in the source.
  void Move(std::int64_t to, std::int64_t from, std::int64_t following);

 private:
  const unsigned char* Units(unsigned char* to, const unsigned char* from, std::int64_t ahead);
  unsigned char* Kept(Bytes& memory) const;
  const unsigned char* Pack(const unsigned char* from, std::int64_t ahead);

  const StridedCopy& copy_;
  const std::size_t bytes_;  ///< of the largest tile, on either side
  const bool is_streamed_;
  const bool is_repeated_;
  const Steps steps_;
  std::vector<std::unique_ptr<const TileMove>> shapes_;
  const TileMove* shape_ = nullptr;
  Bytes first_;  ///< what is packed lies in one or the other
  Bytes second_;

  /// The units of the last tile, which are written again if its source is repeated.
  const unsigned char* units_ = nullptr;
  const unsigned char* last_from_ = nullptr;
  const TileMove* last_shape_ = nullptr;
};

TileMover::TileMover(const StridedCopy& copy, const Tiling& tiling, Volume volume)
    : copy_(copy),
      bytes_(tiling.units() * std::max(copy.written(), copy.source_unit())),
      is_streamed_(is_streamed(tiling, volume)),
      is_repeated_(tiling.is_repeated()),
      steps_(copy) {}

TileMover::~TileMover() {
  if (is_streamed_) finish_stream();
}

void TileMover::Shape(const Tile& tile, std::size_t number) {
  if (shapes_.size() <= number) shapes_.resize(number + 1);
  std::unique_ptr<const TileMove>& known = shapes_[number];
  if (!known) {
    known = std::make_unique<const TileMove>(tile, copy_, steps_, is_streamed_, is_repeated_);
  }
  shape_ = known.get();
}

void TileMover::Move(std::int64_t to_offset, std::int64_t from_offset, std::int64_t following) {
  const std::int64_t ahead = following - from_offset;
  auto* const to = static_cast<unsigned char*>(copy_.destination) + to_offset;
  const auto* const from = static_cast<const unsigned char*>(copy_.source) + from_offset;
  const Scatter* const scatter = shape_->scatter.get();
  if (scatter == nullptr) return gather(shape_->reading, to, from, ahead);
  if (from != last_from_ || shape_ != last_shape_) {
    units_ = Units(to, from, ahead);
    last_from_ = from;
    last_shape_ = shape_;
  }
  if (units_ != to) (*scatter)(to, units_);
}

/// Returns the units of a tile, contiguous and ready to be written: at `to` itself if they are
/// contiguous there.
const unsigned char* TileMover::Units(unsigned char* to, const unsigned char* from,
                                      std::int64_t ahead) {
  const unsigned char* units = Pack(from, ahead);
  const auto apply = [&](bool is_last, auto&& step) {
    const bool is_direct = is_last && shape_->is_straight;
    unsigned char* const made = is_direct ? to : Kept(units == first_.get() ? second_ : first_);
    step(made);
    units = made;
  };
  const auto swap_units = [&](bool is_last, std::size_t swap, std::size_t unit) {
    if (swap == 0) return;
    apply(is_last, [&](auto* made) { swap_bytes(made, units, swap, shape_->count * unit / swap); });
  };
  swap_units(steps_.convert == nullptr && steps_.repeats == 1, steps_.source_swap,
             copy_.source_unit());
  if (steps_.convert != nullptr) {
    apply(steps_.swap == 0 && steps_.repeats == 1,
          [&](auto* made) { steps_.convert(made, units, shape_->count); });
  }
  swap_units(steps_.repeats == 1, steps_.swap, copy_.unit);
  if (steps_.repeats != 1) {
    apply(true,
          [&](auto* made) { repeat(made, units, copy_.unit, steps_.repeats, shape_->count); });
  }
  return units;
}

/// Returns uninitialised memory: nothing is read before it is written.
unsigned char* TileMover::Kept(Bytes& memory) const {
  if (!memory) memory.reset(static_cast<unsigned char*>(::operator new[](bytes_, line)));
  return memory.get();
}

/// Returns the units of a tile, contiguous: in place if they are contiguous there.
const unsigned char* TileMover::Pack(const unsigned char* from, std::int64_t ahead) {
  if (shape_->reading.is_whole) return from;
  unsigned char* const packed = Kept(first_);
  gather(shape_->reading, packed, from, ahead);
  return packed;
}

}  // namespace

void copy_in_tiles(const StridedCopy& given, Volume volume) {
  const StridedCopy copy = with_repeats(given);
  const Tiling tiling(copy, tile_size(copy.written()));
  TileMover mover(copy, tiling, volume);
  tiling.for_each_tile([&](const Tile& tile, std::size_t number) { mover.Shape(tile, number); },
                       [&](std::int64_t to, std::int64_t from, std::int64_t following) {
                         mover.Move(to, from, following);
                       });
}

}  // namespace array_interface
