#pragma once

#include <atomic>
#include <map>
#include <mutex>

#include "kernels/tiled_launch.hpp"
#include "reference.hpp"

namespace array_interface::sycl {

class Place;

/// Our copy kernels in one place, each built from SPIR-V once for the types and inner strides that
/// it is for: compilers for CPUs make no good code of one for all.
class Kernels {
 public:
  explicit Kernels(const Dpctl& dpctl) : dpctl_(dpctl) {}

  /// True for the first who asks: it is theirs to call Build ahead of need.
  bool BeginBuild() { return !begun_.exchange(true); }
  /// Builds a kernel that copies most rows, unless it is: some tens of milliseconds, and the first
  /// use of the device's compiler. Throws SyclError.
  void Build(const Place& place);

  /// Enqueues the launches of a copy on a queue of `place`. Throws SyclError before the first
  /// launch when a kernel cannot be built or the layout is refused. Waits for a build under way.
  void Launch(const Place& place, void* queue, const StridedCopy& copy);

 private:
  struct Built {
    KernelBundleReference bundle;
    KernelReference kernel;
  };

  void* Get(const Place& place, const TiledKernel& kernel);

  const Dpctl& dpctl_;
  std::atomic<bool> begun_{false};
  std::mutex mutex_;
  std::map<TiledKernel, Built> kernels_;
};

}  // namespace array_interface::sycl
