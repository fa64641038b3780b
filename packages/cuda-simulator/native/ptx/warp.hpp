#pragma once

#include <cstdint>

#include "thread.hpp"

namespace array_interface::cuda_simulator::ptx {

/// The lanes for which a thread that waits at an instruction of its warp waits.
std::uint32_t mask_of(const Thread& thread);

}  // namespace array_interface::cuda_simulator::ptx
