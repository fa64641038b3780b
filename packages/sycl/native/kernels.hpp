#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "kernels/strided_copy.hpp"
#include "reference.hpp"

namespace array_interface::sycl {

class Device;

/// Our strided copy kernels on one device, built from SPIR-V when first needed.
class Kernels {
 public:
  explicit Kernels(const Dpctl& dpctl) : dpctl_(dpctl) {}

  /// Enqueues the launches of a copy on a queue of `device`. Throws SyclError before the first
  /// launch when the kernels cannot be built or the layout is refused. The first call builds them.
  void Launch(const Device& device, void* queue, const StridedCopy& copy);

 private:
  void* Get(const Device& device, std::uint32_t unit);

  const Dpctl& dpctl_;
  std::mutex mutex_;
  KernelBundleReference bundle_;
  std::map<std::uint32_t, KernelReference> kernels_;
};

}  // namespace array_interface::sycl
