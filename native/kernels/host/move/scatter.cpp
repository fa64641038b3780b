#include "kernels/host/move/scatter.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "kernels/host/vectors/past_caches.hpp"
#include "kernels/host/vectors/units.hpp"

namespace array_interface {

Scatter::Scatter(const Tile& tile, std::uint32_t unit, bool is_streamed)
    : unit_(unit), is_streamed_(is_streamed), stride_(unit) {
  std::size_t rank = tile.rank;
  if (rank > 0) stride_ = tile.axes[rank - 1].to;
  for (; rank > 0 && tile.axes[rank - 1].to == length_ * stride_; --rank) {
    length_ *= tile.axes[rank - 1].length;
  }
  if (stride_ != static_cast<std::int64_t>(unit) && !is_unit(unit)) {
    length_ = 1;
    rank = tile.rank;
  }
  is_contiguous_ = stride_ == static_cast<std::int64_t>(unit) || length_ == 1;
  TileStrides strides{};
  std::array<std::size_t, tile_rank> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t axis = 0; axis < rank; ++axis) strides[axis] = tile.axes[axis].to;
  rows_.reserve(tile.count() / static_cast<std::size_t>(length_));
  for_each_unit(tile, strides, order.data(), rank,
                [&](std::int64_t to, std::int64_t) { rows_.push_back(to); });
}

void Scatter::operator()(unsigned char* to, const unsigned char* packed) const {
  const std::size_t size = static_cast<std::size_t>(length_) * unit_;
  if (is_contiguous_ && is_streamed_) return Stream(to, packed, size);
  for (const std::int64_t row : rows_) {
    if (is_contiguous_) {
      std::memcpy(to + row, packed, size);
    } else {
      with_unit(unit_, [&](auto zero) {
        move_units<decltype(zero)>(to + row, stride_, packed, unit_, length_);
      });
    }
    packed += size;
  }
}

void Scatter::Stream(unsigned char* to, const unsigned char* packed, std::size_t size) const {
  constexpr std::size_t soon_bytes = 4096;
  const std::size_t ahead = std::max<std::size_t>(soon_bytes / size, 1);
  for (std::size_t row = 0; row < std::min(ahead, rows_.size()); ++row) {
    fetch_ends(to + rows_[row], size);
  }
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (row + ahead < rows_.size()) fetch_ends(to + rows_[row + ahead], size);
    write_past_caches(to + rows_[row], packed, size);
    packed += size;
  }
}

}  // namespace array_interface
