#pragma once

namespace array_interface::cuda_simulator {

// The size of every device, as its attributes, the occupancy of kernels and registers tell it.

inline constexpr int multiprocessors = 32;
inline constexpr int threads_per_multiprocessor = 2048;
inline constexpr int blocks_per_multiprocessor = 32;
inline constexpr int shared_per_multiprocessor = 233472;

}  // namespace array_interface::cuda_simulator
