#include "kernels/host/copy_in_tiles.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "kernels/host/convert.hpp"
#include "kernels/host/gather.hpp"
#include "kernels/host/steps.hpp"
#include "kernels/host/tile_move.hpp"
#include "kernels/tiling.hpp"

namespace array_interface {
namespace {

/// Bytes of a cache line. A vector that straddles two lines takes longer.
constexpr std::align_val_t line{64};

struct Deleter {
  void operator()(unsigned char* bytes) const noexcept { ::operator delete[](bytes, line); }
};
using Bytes = std::unique_ptr<unsigned char[], Deleter>;

/// Uninitialised memory, since nothing reads what was not written.
unsigned char* kept(Bytes& memory, std::size_t bytes) {
  if (!memory) memory.reset(static_cast<unsigned char*>(::operator new[](bytes, line)));
  return memory.get();
}

/// Moves the tiles of one copy: gathers, swaps, converts, swaps, writes. It leaves out needless
/// steps.
class TileMover {
 public:
  TileMover(const StridedCopy& copy, const Tiling& tiling, bool is_large);
  ~TileMover();
  TileMover(const TileMover&) = delete;
  TileMover& operator=(const TileMover&) = delete;

  /// Sets the shape of the tiles to come. A number always means the same shape.
  void Shape(const Tile& tile, std::size_t number);

  /// Moves the tile at these byte offsets; `following` is the next tile's offset in the source.
  void Move(std::int64_t to, std::int64_t from, std::int64_t following);

 private:
  unsigned char* First();
  unsigned char* Second();
  const unsigned char* Pack(const unsigned char* from, std::int64_t ahead);

  const StridedCopy& copy_;
  const std::size_t bytes_;  ///< of the largest tile, on either side
  const bool is_streamed_;
  const Steps steps_;
  std::vector<std::unique_ptr<const TileMove>> shapes_;
  const TileMove* shape_ = nullptr;
  Bytes first_;  ///< what is packed lies in one or the other
  Bytes second_;
};

TileMover::TileMover(const StridedCopy& copy, const Tiling& tiling, bool is_large)
    : copy_(copy),
      bytes_(tiling.units() * std::max(copy.unit, copy.source_unit())),
      is_streamed_(is_streamed(tiling, is_large)),
      steps_(copy.conversion) {}

TileMover::~TileMover() {
  if (is_streamed_) finish_stream();
}

void TileMover::Shape(const Tile& tile, std::size_t number) {
  if (shapes_.size() <= number) shapes_.resize(number + 1);
  std::unique_ptr<const TileMove>& known = shapes_[number];
  if (!known) known = std::make_unique<const TileMove>(tile, copy_, steps_, is_streamed_);
  shape_ = known.get();
}

void TileMover::Move(std::int64_t to_offset, std::int64_t from_offset, std::int64_t following) {
  const std::int64_t ahead = following - from_offset;
  auto* const to = static_cast<unsigned char*>(copy_.destination) + to_offset;
  const auto* const from = static_cast<const unsigned char*>(copy_.source) + from_offset;
  const Scatter* const scatter = shape_->scatter.get();
  if (scatter == nullptr) return gather(shape_->reading, copy_.unit, to, from, ahead);
  const auto [source_swap, convert, swap] = steps_;
  const auto place = [&](bool is_last, unsigned char* buffer) {
    return is_last && shape_->is_straight ? to : buffer;
  };
  const unsigned char* units = Pack(from, ahead);
  if (source_swap != 0) {
    unsigned char* const next = place(convert == nullptr, First());
    swap_bytes(next, units, source_swap, shape_->count * copy_.source_unit() / source_swap);
    units = next;
  }
  if (convert != nullptr) {
    unsigned char* const next = place(swap == 0, Second());
    convert(next, units, shape_->count);
    units = next;
  }
  if (swap != 0) {
    unsigned char* const next = place(true, First());
    swap_bytes(next, units, swap, shape_->count * copy_.unit / swap);
    units = next;
  }
  if (units != to) (*scatter)(to, units);
}

unsigned char* TileMover::First() { return kept(first_, bytes_); }
unsigned char* TileMover::Second() { return kept(second_, bytes_); }

/// The units of a tile in a row: where they are, if they lie so.
const unsigned char* TileMover::Pack(const unsigned char* from, std::int64_t ahead) {
  if (shape_->reading.is_whole) return from;
  unsigned char* const packed = steps_.source_swap == 0 ? First() : Second();
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
