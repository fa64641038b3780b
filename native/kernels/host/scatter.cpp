#include <algorithm>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "kernels/host/tile.hpp"
#include "kernels/host/units.hpp"

namespace array_interface {
namespace {

template <typename Unit>
void scatter_units(unsigned char* to, const Tile& tile, const unsigned char* dense) {
  for (std::int64_t row = 0; row < tile.rows; ++row) {
    unsigned char* next = to + row * tile.row_stride;
    for (std::int64_t column = 0; column < tile.columns; ++column) {
      move<Unit>(next, dense);
      dense += sizeof(Unit);
      next += tile.column_stride;
    }
  }
}

/// Calls `write(to, from, run)` for each run of contiguous bytes of the tile.
template <typename Write>
void for_each_run(std::int64_t unit, unsigned char* to, const Tile& tile,
                  const unsigned char* dense, Write&& write) {
  const bool is_dense = tile.is_dense(unit);
  const auto run = static_cast<std::size_t>((is_dense ? tile.count() : tile.columns) * unit);
  for (std::int64_t row = 0; row < (is_dense ? 1 : tile.rows); ++row) {
    write(to + row * tile.row_stride, dense, run);
    dense += run;
  }
}

void write_past_caches(unsigned char* to, const unsigned char* from, std::size_t size) {
#if defined(__SSE2__)
  const std::size_t head = std::min<std::size_t>(-reinterpret_cast<std::uintptr_t>(to) % 16, size);
  std::memcpy(to, from, head);
  std::size_t done = head;
  for (; done + 16 <= size; done += 16) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + done),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + done)));
  }
  std::memcpy(to + done, from + done, size - done);
#else
  std::memcpy(to, from, size);
#endif
}

}  // namespace

void scatter(std::uint32_t unit, unsigned char* to, const Tile& tile, const unsigned char* dense) {
  if (tile.column_stride != static_cast<std::int64_t>(unit) && tile.columns > 1) {
    return with_unit(unit, [&](auto zero) { scatter_units<decltype(zero)>(to, tile, dense); });
  }
  for_each_run(unit, to, tile, dense,
               [](unsigned char* run, const unsigned char* from, std::size_t size) {
                 std::memcpy(run, from, size);
               });
}

void stream(std::uint32_t unit, unsigned char* to, const Tile& tile, const unsigned char* dense) {
  if (tile.column_stride != static_cast<std::int64_t>(unit) && tile.columns > 1) {
    return scatter(unit, to, tile, dense);
  }
  for_each_run(unit, to, tile, dense, write_past_caches);
}

void finish_stream() noexcept {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace array_interface
