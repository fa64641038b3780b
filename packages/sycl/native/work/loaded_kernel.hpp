#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "device/device_kernel.hpp"
#include "loaded_module.hpp"
#include "memory/work.hpp"
#include "napi/setup.hpp"
#include "queue.hpp"

namespace array_interface::sycl {

/// A function of a user kernel's module in one context. A background thread builds the module, or
/// finds it built for another function. The runtime keeps it as long as its launches need it.
class LoadedKernel : public DeviceKernel<LoadedKernel, LoadedModule> {
 public:
  static constexpr napi_type_tag kTag{0x2f80c6e17d3b4a91u, 0xb5c9d04e8a6713f2u};

  /// The items of a launch and of its groups. All groups are whole.
  struct Shape {
    std::size_t items[3];
    std::size_t group[3];
    std::size_t rank;
  };
  /// The most items of a group, and the most bytes of its local memory.
  using Limits = std::array<std::size_t, 2>;

  using DeviceKernel::DeviceKernel;
  ~LoadedKernel();

  /// Valid once it is built.
  const Limits& limits() const { return limits_; }
  /// Enqueues a launch with `values`, a slot for each, ordered with all other work on the memories.
  /// Throws SyclError.
  Enqueued Launch(const std::shared_ptr<Queue>& queue, const Shape& shape, std::byte* values,
                  Uses uses);

 private:
  friend DeviceKernel;

  void Load();

  LoadedModule::Function* function_ = nullptr;  ///< owned by the module
  Limits limits_{};
};

}  // namespace array_interface::sycl
