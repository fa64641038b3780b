#pragma once

#include <cstddef>
#include <vector>

#include "module.hpp"

namespace array_interface::cuda_simulator {

/// The arguments of a launch in one buffer, copied as the driver copies them: from `parameters`,
/// the address of each value, or from `extra`, one buffer laid out as the kernel's parameters are.
/// Throws Failure unless exactly one of the two is given and it has all that the kernel takes.
std::vector<std::byte> copy_arguments(const Function& function, void** parameters, void** extra);

}  // namespace array_interface::cuda_simulator
