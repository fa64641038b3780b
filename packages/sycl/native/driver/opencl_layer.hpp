#pragma once

#include <cstdint>
#include <string>

#include "reference.hpp"

namespace array_interface::sycl {

/// This addon as a layer of the OpenCL loader, between the SYCL runtime and the driver: what the
/// driver's compiler made of a module is kept in files, and given to it in place of the module the
/// next time. Only for CPU devices, and only for modules that come through BuildModule.

/// Where compiled kernels are kept. No folder: nowhere.
struct KeptKernels {
  std::string folder{};
  std::uint64_t most = 0;  ///< bytes of all of them
};

/// Names the layer to the OpenCL loader, which reads the variable when the runtime first looks for
/// devices; takes that back at the end of the scope. The environment that compilers may heed is
/// noted. No folder, or one that is not this user's alone: nothing is named, nothing is kept.
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

/// A module built in a context, from what was kept of it where there is something. Null: the
/// compiler refuses it. Throws SyclError. Waits for the compiler.
KernelBundleReference BuildModule(const Dpctl& dpctl, void* context, void* device,
                                  const void* spirv, std::size_t size);

/// Of this process. Safe from any thread.
struct BuildCounts {
  bool has_layer = false;  ///< whether the OpenCL loader took the layer
  std::uint64_t compiled = 0;
  std::uint64_t found = 0;
};
BuildCounts CountBuilds();

}  // namespace array_interface::sycl
