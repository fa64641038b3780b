#pragma once

#include <cstdint>

namespace array_interface::cuda_simulator::ptx {

// Generic addresses of everything but global memory are in windows that no pointer of a process can
// be in. The lower bits are the address in the window's own space.

inline constexpr unsigned window_shift = 56;
inline constexpr std::uint64_t window_mask = (std::uint64_t{1} << window_shift) - 1;
inline constexpr std::uint64_t shared_window = std::uint64_t{1} << window_shift;
inline constexpr std::uint64_t local_window = std::uint64_t{2} << window_shift;
inline constexpr std::uint64_t parameter_window = std::uint64_t{3} << window_shift;
inline constexpr std::uint64_t function_window = std::uint64_t{4} << window_shift;

}  // namespace array_interface::cuda_simulator::ptx
