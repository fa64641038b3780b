#pragma once

#include <cstddef>

#include "thread.hpp"

namespace array_interface::cuda_simulator::ptx {

/// Number of the barrier at which a thread waits.
std::size_t barrier_of(const Thread& thread);

/// How many threads must come: as many as the instruction says, or all that have not ended.
std::size_t barrier_size(const Thread& thread, std::size_t living);

}  // namespace array_interface::cuda_simulator::ptx
