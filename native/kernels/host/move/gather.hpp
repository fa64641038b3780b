#pragma once

#include <cstdint>

#include "kernels/host/move/reading.hpp"

namespace array_interface {

/// Copies units of `unit` (1, 2, 4, 8 or 16) bytes from a tile at `from` to the positions, relative
/// to `to`, that the reading specifies. The two may not overlap, and need no alignment. Prefetches
/// the bytes `ahead` further on; none if `ahead` is 0.
void gather(const Reading& reading, std::uint32_t unit, unsigned char* to,
            const unsigned char* from, std::int64_t ahead);

}  // namespace array_interface
