#pragma once

#include <chrono>
#include <optional>

#include "device/kernel_builder.hpp"
#include "threads/exit_gate.hpp"

namespace array_interface::sycl {

/// How kernels are built: the process ends only after the current build, or before the next.
struct KernelBuildPolicy {
  static constexpr std::optional<std::chrono::milliseconds> kTimeout{};

  template <class Build>
  static void Run(const Build& build) {
    ExitGate::Instance().Pass(build);
  }
};

using KernelBuilder = array_interface::KernelBuilder<KernelBuildPolicy>;

}  // namespace array_interface::sycl
