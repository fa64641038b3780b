#pragma once

#include <cstdint>

#include "thread.hpp"

namespace array_interface::cuda_simulator::ptx {

/// The lanes that a thread, which waits at an instruction of its warp, waits for.
std::uint32_t mask_of(const Thread& thread);

}  // namespace array_interface::cuda_simulator::ptx
