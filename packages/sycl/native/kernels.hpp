#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

#include "kernels/strided_copy.hpp"
#include "reference.hpp"

namespace array_interface::sycl {

class Place;

/// Our copy kernels in one place, built from SPIR-V once; one for each conversion, as compilers for
/// CPUs make no good code of one for all.
class Kernels {
 public:
  explicit Kernels(const Dpctl& dpctl) : dpctl_(dpctl) {}

  /// True for the first who asks: it is theirs to call Build ahead of need.
  bool BeginBuild() { return !begun_.exchange(true); }
  /// Builds the kernels that convert nothing, unless they are: a fraction of a second. Throws
  /// SyclError.
  void Build(const Place& place);

  /// Enqueues the launches of a copy on a queue of `place`. Throws SyclError before the first
  /// launch when the kernels cannot be built or the layout is refused. Waits for a build under way.
  void Launch(const Place& place, void* queue, const StridedCopy& copy);

 private:
  struct Converter {
    KernelBundleReference bundle;
    KernelReference kernel;
  };

  void BuildLocked(const Place& place);
  void* Get(std::uint32_t unit);
  void* GetConverter(const Place& place, const Conversion& conversion);

  const Dpctl& dpctl_;
  std::atomic<bool> begun_{false};
  std::mutex mutex_;
  KernelBundleReference bundle_;
  std::map<std::uint32_t, KernelReference> kernels_;
  std::map<std::uint32_t, Converter> converters_;  // by conversion_code()
};

}  // namespace array_interface::sycl
