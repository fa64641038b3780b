#pragma once

#include "module.hpp"
#include "ptx/run/launch.hpp"
#include "state/stream.hpp"

namespace array_interface::cuda_simulator {

/// The dimensions of a kernel launch.
struct LaunchShape {
  ptx::Dimensions grid;
  ptx::Dimensions block;
  unsigned dynamic_shared = 0;  ///< bytes
};

/// Enqueues a kernel. Does not block. Takes arguments as cuLaunchKernel does, and copies them.
/// Throws Failure for a shape that no device accepts, missing arguments, or a kernel of another
/// context than the stream's.
void enqueue_launch(const std::shared_ptr<Function>& function, Stream& stream,
                    const LaunchShape& shape, void** parameters, void** extra);

}  // namespace array_interface::cuda_simulator
