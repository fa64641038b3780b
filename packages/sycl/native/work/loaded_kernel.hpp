#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driver/context_device.hpp"
#include "driver/reference.hpp"
#include "loaded_module.hpp"
#include "napi/setup.hpp"

namespace array_interface::sycl {

/// A function of a user kernel's module in one context. A background thread builds the module, or
/// finds it built for another function. The runtime keeps it as long as its launches need it.
class LoadedKernel {
 public:
  static constexpr napi_type_tag kTag{0x2f80c6e17d3b4a91u, 0xb5c9d04e8a6713f2u};

  /// What to build, and the types of the function's parameters, by the C library's numbers.
  struct Source {
    std::string spirv;
    std::string function;
    std::vector<int> types;
  };

  /// The items of a launch and of its groups. All groups are whole.
  struct Shape {
    std::size_t items[3];
    std::size_t group[3];
    std::size_t rank;
  };

  /// Starts to build the kernel. Throws if there is no memory or thread for it.
  static std::shared_ptr<LoadedKernel> Ask(std::shared_ptr<ContextDevice> context, Source source);
  ~LoadedKernel();
  LoadedKernel(const LoadedKernel&) = delete;
  LoadedKernel& operator=(const LoadedKernel&) = delete;

  /// Whether the build has ended, successfully or not. Safe to call from any thread.
  bool has_ended() const { return has_ended_; }
  /// Why there is no kernel; empty if it is built. Valid once the build has ended.
  const std::string& refusal() const { return refusal_; }
  const std::shared_ptr<ContextDevice>& context() const { return module_->context(); }
  const std::vector<int>& types() const { return types_; }

  /// The most items of a group. Valid once the kernel is built.
  std::size_t most_items() const { return most_items_; }
  /// The most bytes of a group's local memory. Valid once the kernel is built.
  std::size_t most_local() const { return most_local_; }
  /// Enqueues a launch with `values`, 8 bytes for each argument. Throws SyclError.
  EventReference Launch(void* queue, const Shape& shape, std::byte* values);

 private:
  class Job;

  LoadedKernel(std::shared_ptr<LoadedModule> module, std::string name, std::vector<int> types)
      : module_(std::move(module)), name_(std::move(name)), types_(std::move(types)) {}
  void Build() noexcept;
  void Load();
  /// Called when the kernel will not be built any more.
  void GiveUp() noexcept;

  std::shared_ptr<LoadedModule> module_;
  std::string name_;
  std::vector<int> types_;
  LoadedModule::Function* function_ = nullptr;  ///< owned by the module
  std::size_t most_items_ = 0;
  std::size_t most_local_ = 0;
  std::string refusal_;
  std::atomic<bool> has_ended_{false};
};

}  // namespace array_interface::sycl
