#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "kernels/tiled_launch.hpp"
#include "reference.hpp"

namespace array_interface::sycl {

class Place;

/// Our copy kernels in one place. Large copies get one that is built from SPIR-V for their types
/// and inner strides alone, as compilers for CPUs make no good code of one for all; small ones
/// share that.
class Kernels {
 public:
  explicit Kernels(const Dpctl& dpctl) : dpctl_(dpctl) {}

  /// True for the first who asks: it is theirs to call Build ahead of need.
  bool BeginBuild() { return !begun_.exchange(true); }
  /// Builds what most copies need, unless it is: some hundred milliseconds, and the first use of
  /// the device's compiler. Throws SyclError.
  void Build(const Place& place);

  /// Enqueues the launches of a copy on a queue of `place`. Throws SyclError before the first
  /// launch when no kernel can be built or the layout is refused. Builds what it needs and waits
  /// for nothing else.
  void Launch(const Place& place, void* queue, const StridedCopy& copy);

 private:
  struct Built {
    KernelBundleReference bundle;
    KernelReference kernel;
    std::mutex launching;  ///< the arguments of a native kernel object are part of its state
  };

  /// A kernel for each part; none where the copy is not worth building them, or a device's compiler
  /// refuses one.
  std::vector<std::shared_ptr<Built>> ForParts(const Place& place,
                                               const std::vector<TiledPart>& parts,
                                               std::uint64_t units);
  /// What is known of a kernel: nothing, or what was built, which is null where it was refused.
  std::optional<std::shared_ptr<Built>> Find(const TiledKernel& kernel);
  /// Whether no more are built.
  bool IsFull();
  /// Built unless it is; null where it is refused, or there are enough.
  std::shared_ptr<Built> Get(const Place& place, const TiledKernel& kernel);
  /// The kernel for all conversions and layouts.
  std::shared_ptr<Built> GetAny(const Place& place);
  std::shared_ptr<Built> Make(const Place& place, const void* module, std::size_t size,
                              const char* name) const;
  bool HasDoubles(const Place& place) const;
  void LaunchAny(const Place& place, void* queue, const StridedCopy& copy,
                 std::uint32_t conversion);
  template <std::size_t count>
  void Submit(Built& built, void* queue, std::array<void*, count>& arguments,
              const std::array<int, count>& types, const std::size_t* items, std::size_t rank);

  const Dpctl& dpctl_;
  std::atomic<bool> begun_{false};
  std::mutex mutex_;  ///< of kernels_; never held while a compiler works
  std::map<TiledKernel, std::shared_ptr<Built>> kernels_;
  std::mutex any_mutex_;
  std::shared_ptr<Built> any_;
};

}  // namespace array_interface::sycl
