#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/layout/tile.hpp"

namespace array_interface {

/// Where the rows of packed tiles of one shape go.
class Scatter {
 public:
  /// `is_streamed`: writes past the caches, for destinations much larger than they are. Then call
  /// finish_stream() before anybody else may look at the bytes.
  Scatter(const Tile& tile, std::uint32_t unit, bool is_streamed);

  /// Whether all units of a tile are one run.
  bool is_run() const noexcept { return is_contiguous_ && rows_.size() == 1; }

  /// Units of a row, and how many rows a tile has.
  std::int64_t length() const noexcept { return length_; }
  std::size_t rows() const noexcept { return rows_.size(); }

  /// Whether the units of a row lie one after another.
  bool is_contiguous() const noexcept { return is_contiguous_; }

  /// Copies the packed units of a tile to a destination.
  void operator()(unsigned char* to, const unsigned char* packed) const;

 private:
  const std::uint32_t unit_;
  const bool is_streamed_;
  std::int64_t length_ = 1;         ///< units of a row
  std::int64_t stride_;             ///< bytes between them
  bool is_contiguous_ = true;       ///< whether they lie one after another
  std::vector<std::int64_t> rows_;  ///< where each begins
};

void finish_stream() noexcept;

}  // namespace array_interface
