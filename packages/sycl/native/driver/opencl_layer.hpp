#pragma once

#include <cstdint>
#include <string>

#include "reference.hpp"

namespace array_interface::sycl {

/// This addon as a layer of the OpenCL loader, between the SYCL runtime and the driver. It stores
/// what the driver's compiler made of a module in files. The next time the driver gets the stored
/// binary instead of the module. Only for CPU devices, and only for modules that come through
/// BuildModule.

/// Where compiled kernels are cached. An empty folder disables the cache.
struct KeptKernels {
  std::string folder{};
  std::uint64_t most = 0;  ///< the most bytes that all take together
};

/// Names the layer to the OpenCL loader, which reads the variable when the runtime first lists
/// devices. Restores the variable at the end of the scope. Records the variables that compilers may
/// read. If there is no folder, or it is not this user's alone, names no layer and caches nothing.
class NamedLayer {
 public:
  explicit NamedLayer(const KeptKernels& kept);
  ~NamedLayer();
  NamedLayer(const NamedLayer&) = delete;
  NamedLayer& operator=(const NamedLayer&) = delete;

 private:
  bool is_named_ = false;
  bool was_set_ = false;
  std::string before_;
};

/// Builds a module in a context, from the cached binary if there is one. Null if the compiler
/// refuses the module. Throws SyclError. Blocks until the compiler has finished.
KernelBundleReference BuildModule(const Dpctl& dpctl, void* context, void* device,
                                  const void* spirv, std::size_t size);

/// Counts for this process. Safe to read from any thread.
struct BuildCounts {
  bool has_layer = false;  ///< whether the OpenCL loader accepted the layer
  std::uint64_t compiled = 0;
  std::uint64_t found = 0;
};
BuildCounts CountBuilds();

}  // namespace array_interface::sycl
