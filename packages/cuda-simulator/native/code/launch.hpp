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
  bool cooperative = false;     ///< blocks may wait for one another
};

/// Copies the arguments of a launch into one buffer, as cuLaunchKernel takes them. Throws Failure
/// unless exactly one of the two is present and has all arguments of the kernel.
std::vector<std::byte> copy_arguments(const Function& function, void** parameters, void** extra);

/// Returns the work of a launch in a context. Throws Failure for a shape that no device accepts, or
/// a kernel of another context.
Work launch_work(const std::shared_ptr<Function>& function, Context& context,
                 const LaunchShape& shape, std::vector<std::byte> arguments);

/// Enqueues a kernel. Does not block. Takes arguments as cuLaunchKernel does, and copies them.
/// Throws Failure for a shape that no device accepts, missing arguments, or a kernel of another
/// context than the stream's.
void enqueue_launch(const std::shared_ptr<Function>& function, Stream& stream,
                    const LaunchShape& shape, void** parameters, void** extra);

}  // namespace array_interface::cuda_simulator
