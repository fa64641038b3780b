#pragma once

#include <chrono>
#include <optional>

#include "device/kernel_builder.hpp"

namespace array_interface::cuda {

/// How kernels are built: each call of the driver passes the exit gate by itself.
struct KernelBuildPolicy {
  /// The driver may block a build on work that never ends.
  static constexpr std::optional<std::chrono::milliseconds> kTimeout{5000};

  template <class Build>
  static void Run(const Build& build) {
    build();
  }
};

using KernelBuilder = array_interface::KernelBuilder<KernelBuildPolicy>;

}  // namespace array_interface::cuda
