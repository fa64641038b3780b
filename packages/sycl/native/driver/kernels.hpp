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

/// This library's copy kernels in one context. Each kind of large copies has its own kernel, built
/// from SPIR-V for its types, inner strides and number of axes, since compilers for CPUs generate
/// poor code from one kernel for all. A background thread builds it. Until then, and for small
/// copies, one shared kernel is used. Only very large copies build theirs first.
class Kernels {
 public:
  explicit Kernels(const Dpctl& dpctl) : dpctl_(dpctl) {}

  /// Starts to build what most copies need, on the first call. That takes some hundred
  /// milliseconds, and uses the device's compiler for the first time. `context_device` must be the
  /// owner of these kernels.
  void Prepare(const std::shared_ptr<ContextDevice>& context_device);

  struct Built {
    KernelBundleReference bundle;
    KernelReference kernel;
    std::mutex launching;  ///< the arguments of a native kernel object are part of its state
  };
  /// The kernels of a copy: one for each part, or the shared one for the whole copy.
  struct Chosen {
    std::vector<SpecialPart> parts;
    std::vector<std::shared_ptr<Built>> of_parts;
    std::shared_ptr<Built> shared;
    std::uint32_t conversion = 0;
  };

  /// Returns the kernels of a copy in `context_device`, the owner of these kernels. Requests the
  /// kernels that the copy is large enough for, or builds them itself if that is faster. Waits only
  /// for a missing shared kernel, which it builds if no other thread does. Throws SyclError if
  /// there is no kernel, and what require_alignment() throws.
  Chosen Choose(const std::shared_ptr<ContextDevice>& context_device, const StridedCopy& copy);
  /// Enqueues the launches of a copy of at least one element. Returns the event of the last.
  EventReference Launch(void* queue, const StridedCopy& copy, const Chosen& chosen);

 private:
  /// A kernel for one kind of copies, from the time of the first request.
  struct Kind {
    bool is_asked = true;          ///< and no build has ended
    std::shared_ptr<Built> built;  ///< null until it is built, and if the compiler refused it
  };
  class Request;

  /// Returns a kernel for each part, or none if one is missing. Requests those that are worth
  /// building.
  std::vector<std::shared_ptr<Built>> ForParts(const std::shared_ptr<ContextDevice>& context_device,
                                               const std::vector<SpecialPart>& parts,
                                               std::uint64_t units);
  /// The built kernel of a kind, or null.
  std::shared_ptr<Built> Find(const SpecialKernel& kernel);
  /// Has a kind's kernel built in the background, unless it was requested before or there are too
  /// many.
  static void Ask(const std::shared_ptr<ContextDevice>& context_device,
                  const SpecialKernel& kernel);
  /// Registers a request for a kind. False if another one exists or there are too many.
  bool Begin(const SpecialKernel& kernel);
  /// Removes a kind that was requested, unless it was built.
  void GiveUp(const SpecialKernel& kernel);
  /// Whether a build of the kind is still needed: none has ended, and there is room for it.
  bool IsWanted(const SpecialKernel& kernel);
  /// Builds a kind's kernel, unless it is no longer needed.
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
  std::mutex mutex_;  ///< protects kinds_; never held while a compiler runs
  std::map<SpecialKernel, Kind> kinds_;
  std::mutex shared_mutex_;
  std::shared_ptr<Built> shared_;
};

}  // namespace array_interface::sycl
