#pragma once

#include <cstdint>

#include "kernels/host/move/reading.hpp"

namespace array_interface {

/// Copies units of `unit` (1, 2, 4, 8 or 16) bytes from a tile at `from` to where the reading says,
/// relative to `to`. The two may not overlap, and have any address. Meanwhile it asks memory for
/// the bytes `ahead` further on; for none if `ahead` is 0.
void gather(const Reading& reading, std::uint32_t unit, unsigned char* to,
            const unsigned char* from, std::int64_t ahead);

}  // namespace array_interface
