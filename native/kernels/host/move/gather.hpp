#pragma once

#include <cstdint>

#include "kernels/host/move/reading.hpp"

namespace array_interface {

/// Copies the units of a tile at `from` to the positions, relative to `to`, that the reading
/// specifies. The two may not overlap, and need no alignment. Prefetches the bytes `ahead` further
/// on; none if `ahead` is 0.
void gather(const Reading& reading, unsigned char* to, const unsigned char* from,
            std::int64_t ahead);

}  // namespace array_interface
