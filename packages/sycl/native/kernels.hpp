#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels/special_launch.hpp"
#include "reference.hpp"

namespace array_interface::sycl {

class Place;

/// Our copy kernels in one place. A kind of large copies has a kernel that is built from SPIR-V for
/// its types, inner strides and number of axes alone, as compilers for CPUs make no good code of
/// one for all. It is built on a thread of its own; until it is there, and for small copies, one
/// that all share does. Only very large copies build theirs before they go.
class Kernels {
 public:
  explicit Kernels(const Dpctl& dpctl) : dpctl_(dpctl) {}

  /// Begins to build what most copies need, the first time: some hundred milliseconds, and the
  /// first use of the device's compiler. `place` is whose kernels these are.
  void Prepare(const std::shared_ptr<Place>& place);

  struct Built {
    KernelBundleReference bundle;
    KernelReference kernel;
    std::mutex launching;  ///< the arguments of a native kernel object are part of its state
  };
  /// What does a copy: a kernel for each part, or the shared one for the whole.
  struct Chosen {
    std::vector<SpecialPart> parts;
    std::vector<std::shared_ptr<Built>> of_parts;
    std::shared_ptr<Built> shared;
    std::uint32_t conversion = 0;
  };

  /// The kernels of a copy in `place`, whose kernels these are. Has those built that its kind is
  /// worth; builds them itself where that is sooner. Where the shared one is missing it builds it,
  /// or waits for whoever does; for nothing else. Throws SyclError when there is no kernel, and
  /// what require_alignment() throws.
  Chosen Choose(const std::shared_ptr<Place>& place, const StridedCopy& copy);
  /// Enqueues the launches of a copy of some elements; gives the event of the last.
  EventReference Launch(void* queue, const StridedCopy& copy, const Chosen& chosen);

 private:
  /// A kernel for one kind of copies, from the moment that its build is asked for.
  struct Kind {
    bool is_asked = true;          ///< and no build has ended
    std::shared_ptr<Built> built;  ///< null while it is asked for, and where it was refused
  };
  class Request;

  /// A kernel for each part; none where one is missing. Has those built that are worth it.
  std::vector<std::shared_ptr<Built>> ForParts(const std::shared_ptr<Place>& place,
                                               const std::vector<SpecialPart>& parts,
                                               std::uint64_t units);
  /// What is built of a kind, or null.
  std::shared_ptr<Built> Find(const SpecialKernel& kernel);
  /// Has a kind's kernel built on another thread, unless it was asked for or there are enough.
  static void Ask(const std::shared_ptr<Place>& place, const SpecialKernel& kernel);
  /// Begins a kind, and tells whether it was for the caller to begin.
  bool Begin(const SpecialKernel& kernel);
  /// Forgets a kind that was begun, unless it was built.
  void GiveUp(const SpecialKernel& kernel);
  /// Whether a build of the kind is still of use: none has ended, and there is room for it.
  bool IsWanted(const SpecialKernel& kernel);
  /// Builds a kind's kernel, unless it is no longer wanted.
  void Build(const Place& place, const SpecialKernel& kernel);
  /// The kernel for all conversions and layouts, built unless it is.
  std::shared_ptr<Built> GetShared(const Place& place);
  std::shared_ptr<Built> Make(const Place& place, const void* module, std::size_t size,
                              const char* name) const;
  bool HasDoubles(const Place& place) const;
  /// Tiles are for CPUs, whose caches hold them, and where local memory is large enough.
  Tiles TilesOf(const Place& place);
  EventReference LaunchShared(void* queue, const StridedCopy& copy, const Chosen& chosen);
  template <std::size_t count>
  EventReference Submit(Built& built, void* queue, std::array<void*, count>& arguments,
                        const std::array<int, count>& types, const std::size_t* items,
                        std::size_t rank);

  const Dpctl& dpctl_;
  std::atomic<bool> prepared_{false};
  std::once_flag asked_tiles_;
  Tiles tiles_ = Tiles::kRefused;
  std::mutex mutex_;  ///< of kinds_; never held while a compiler works
  std::map<SpecialKernel, Kind> kinds_;
  std::mutex shared_mutex_;
  std::shared_ptr<Built> shared_;
};

}  // namespace array_interface::sycl
