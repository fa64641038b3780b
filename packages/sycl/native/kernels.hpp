#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels/tiled_launch.hpp"
#include "reference.hpp"

namespace array_interface::sycl {

class Place;

/// Our copy kernels in one place. A kind of large copies has a kernel that is built from SPIR-V for
/// its types and inner strides alone, as compilers for CPUs make no good code of one for all. It is
/// built on a thread of its own; until it is there, and for small copies, one that all share does.
/// Only the largest copies wait for their own.
class Kernels {
 public:
  explicit Kernels(const Dpctl& dpctl) : dpctl_(dpctl) {}

  /// Begins to build what most copies need, the first time: some hundred milliseconds, and the
  /// first use of the device's compiler. `place` is whose kernels these are.
  void Prepare(const std::shared_ptr<Place>& place);

  /// Enqueues the launches of a copy on a queue of `place`, whose kernels these are, and begins to
  /// build what later copies of its kind are worth. Throws SyclError before the first launch when
  /// there is no kernel or the layout is refused. Waits for no other work; for
  /// builds where the copy is very large, and for the shared kernel's.
  void Launch(const std::shared_ptr<Place>& place, void* queue, const StridedCopy& copy);

 private:
  struct Built {
    KernelBundleReference bundle;
    KernelReference kernel;
    std::mutex launching;  ///< the arguments of a native kernel object are part of its state
  };
  /// A kernel for one kind of copies, from the moment that its build is asked for.
  struct Kind {
    bool is_asked = true;          ///< and the build has not ended
    std::shared_ptr<Built> built;  ///< null while it is asked for, and where it was refused
  };
  class Asked;

  /// A kernel for each part; none where one is missing. Asks for those that are, where the copy is
  /// worth it.
  std::vector<std::shared_ptr<Built>> ForParts(const std::shared_ptr<Place>& place,
                                               const std::vector<TiledPart>& parts,
                                               std::uint64_t units);
  /// What is built of a kind, or null.
  std::shared_ptr<Built> Find(const TiledKernel& kernel);
  /// Has a kind's kernel built, once, on another thread, unless there are enough.
  void Ask(const std::shared_ptr<Place>& place, const TiledKernel& kernel);
  /// Has it built before it returns, unless it was refused or there are enough.
  void BuildNow(const Place& place, const TiledKernel& kernel);
  void Build(const Place& place, const TiledKernel& kernel);
  /// The kernel for all conversions and layouts, built unless it is.
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
  std::atomic<bool> prepared_{false};
  std::mutex mutex_;  ///< of kinds_; never held while a compiler works
  std::map<TiledKernel, Kind> kinds_;
  std::mutex any_mutex_;
  std::shared_ptr<Built> any_;
};

}  // namespace array_interface::sycl
