#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "kernels/launch/special_launch.hpp"
#include "reference.hpp"

namespace array_interface::sycl {

class ContextDevice;

/// Our copy kernels in one context. A kind of large copies has a kernel built from SPIR-V for its
/// types, inner strides and number of axes alone, since compilers for CPUs make no good code of one
/// kernel for all. A thread of its own builds it. Until then, and for small copies, one shared
/// kernel does the work. Only very large copies build theirs first.
class Kernels {
 public:
  explicit Kernels(const Dpctl& dpctl) : dpctl_(dpctl) {}

  /// Begins to build what most copies need, when first called. That takes some hundred
  /// milliseconds, and first uses the device's compiler. `place` is the one that has these kernels.
  void Prepare(const std::shared_ptr<ContextDevice>& context_device);

  struct Built {
    KernelBundleReference bundle;
    KernelReference kernel;
    std::mutex launching;  ///< the arguments of a native kernel object are part of its state
  };
  /// The kernels that do a copy: one for each part, or the shared one for the whole.
  struct Chosen {
    std::vector<SpecialPart> parts;
    std::vector<std::shared_ptr<Built>> of_parts;
    std::shared_ptr<Built> shared;
    std::uint32_t conversion = 0;
  };

  /// The kernels of a copy in `place`, which has these kernels. Has those built that the copy's
  /// kind is worth, or builds them itself where that is sooner. It waits only for a missing shared
  /// kernel, which it builds where nobody does. Throws SyclError when there is no kernel, and what
  /// require_alignment() throws.
  Chosen Choose(const std::shared_ptr<ContextDevice>& context_device, const StridedCopy& copy);
  /// Enqueues the launches of a copy of at least one element. Gives the event of the last.
  EventReference Launch(void* queue, const StridedCopy& copy, const Chosen& chosen);

 private:
  /// A kernel for one kind of copies, from the time when somebody asks for it.
  struct Kind {
    bool is_asked = true;          ///< and no build has ended
    std::shared_ptr<Built> built;  ///< null while it is asked for, and where it was refused
  };
  class Request;

  /// A kernel for each part, or none where one is missing. Has those built that are worth it.
  std::vector<std::shared_ptr<Built>> ForParts(const std::shared_ptr<ContextDevice>& context_device,
                                               const std::vector<SpecialPart>& parts,
                                               std::uint64_t units);
  /// The built kernel of a kind, or null.
  std::shared_ptr<Built> Find(const SpecialKernel& kernel);
  /// Has a kind's kernel built on another thread, unless it was asked for or there are enough.
  static void Ask(const std::shared_ptr<ContextDevice>& context_device,
                  const SpecialKernel& kernel);
  /// Begins a kind. False: somebody else has begun it.
  bool Begin(const SpecialKernel& kernel);
  /// Forgets a kind that was begun, unless it was built.
  void GiveUp(const SpecialKernel& kernel);
  /// Whether a build of the kind is still of use: none has ended, and there is room for it.
  bool IsWanted(const SpecialKernel& kernel);
  /// Builds a kind's kernel, unless it is no longer wanted.
  void Build(const ContextDevice& context_device, const SpecialKernel& kernel);
  /// The kernel for all conversions and layouts. Builds it if it is missing.
  std::shared_ptr<Built> GetShared(const ContextDevice& context_device);
  std::shared_ptr<Built> Make(const ContextDevice& context_device, const void* module,
                              std::size_t size, const char* name) const;
  bool HasDoubles(const ContextDevice& context_device) const;
  /// Tiles suit CPUs, whose caches hold them, if local memory is large enough.
  Tiles TilesOf(const ContextDevice& context_device);
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
