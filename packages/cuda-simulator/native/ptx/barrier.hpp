#pragma once

#include <cstddef>

#include "thread.hpp"

namespace array_interface::cuda_simulator::ptx {

/// Number of the barrier that a thread waits at.
std::size_t barrier_of(const Thread& thread);

/// How many must come to it: what the thread's instruction says, or all that have not ended.
std::size_t barrier_size(const Thread& thread, std::size_t living);

}  // namespace array_interface::cuda_simulator::ptx
