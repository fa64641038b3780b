#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/layout/tile.hpp"

namespace array_interface {

/// Where the rows of packed tiles of one shape are written.
class Scatter {
 public:
  /// `is_streamed`: uses non-temporal stores, for destinations much larger than the caches. Call
  /// finish_stream() afterwards, before another thread reads the bytes.
  Scatter(const Tile& tile, std::uint32_t unit, bool is_streamed);

  /// Whether all units of a tile form one run.
  bool is_run() const noexcept { return is_contiguous_ && rows_.size() == 1; }

  /// Units per row. rows() returns the rows per tile.
  std::int64_t length() const noexcept { return length_; }
  std::size_t rows() const noexcept { return rows_.size(); }

  /// Whether the units of a row are contiguous.
  bool is_contiguous() const noexcept { return is_contiguous_; }

  /// Copies the packed units of a tile to a destination.
  void operator()(unsigned char* to, const unsigned char* packed) const;

 private:
  /// Stores contiguous rows past the caches.
  void Stream(unsigned char* to, const unsigned char* packed, std::size_t size) const;

  const std::uint32_t unit_;
  const bool is_streamed_;
  std::int64_t length_ = 1;         ///< units of a row
  std::int64_t stride_;             ///< bytes between them
  bool is_contiguous_ = true;       ///< whether they are contiguous
  std::vector<std::int64_t> rows_;  ///< start of each
};

}  // namespace array_interface
