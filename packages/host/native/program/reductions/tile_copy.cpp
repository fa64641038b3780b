#include "tile_copy.hpp"

#include <algorithm>
#include <optional>

#include "kernels/host/copy_in_tiles.hpp"
#include "kernels/host/move/gather.hpp"
#include "kernels/layout/tile.hpp"

namespace array_interface {

struct TileCopy::Plan {
  explicit Plan(const StridedCopy& given) : copy(without_ones(given)) {
    if (copy.lengths.size() > tile_rank) return;
    Tile tile;
    for (std::size_t axis = 0; axis < copy.lengths.size(); ++axis) {
      tile.axes[tile.rank++] =
          Forwards({copy.lengths[axis], copy.destination_strides[axis], copy.source_strides[axis]});
    }
    // As the destination lies in memory, the innermost axis last.
    std::stable_sort(tile.axes.begin(), tile.axes.begin() + tile.rank,
                     [](const Axis& a, const Axis& b) { return a.to > b.to; });
    const Reading made(tile, copy.unit, true);
    if (made.is_in_place) reading = made;
  }

  Axis Forwards(Axis axis) {
    if (axis.to >= 0) return axis;
    to += (axis.length - 1) * axis.to;
    from += (axis.length - 1) * axis.from;
    return {axis.length, -axis.to, -axis.from};
  }

  StridedCopy copy;
  std::int64_t to = 0;  ///< bytes to the first unit in the order of the destination
  std::int64_t from = 0;
  std::optional<Reading> reading{};  ///< none: it cannot write where elements go
};

TileCopy::TileCopy(const StridedCopy& copy) : plan_(std::make_unique<const Plan>(copy)) {}
TileCopy::~TileCopy() = default;
TileCopy::TileCopy(TileCopy&&) noexcept = default;

void TileCopy::Run(std::byte* to, const std::byte* from, std::ptrdiff_t ahead) const {
  if (plan_->reading) {
    gather(*plan_->reading, reinterpret_cast<unsigned char*>(to + plan_->to),
           reinterpret_cast<const unsigned char*>(from + plan_->from), ahead);
    return;
  }
  StridedCopy copy = plan_->copy;
  copy.destination = to;
  copy.source = from;
  copy_in_tiles(copy, Volume::kSmall);
}

}  // namespace array_interface
