#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "driver/context.hpp"
#include "memory/holder.hpp"
#include "napi/setup.hpp"

namespace array_interface::cuda {

/// A function of a program's own code in a primary context. Another thread builds it. Its module is
/// unloaded once nobody holds it and its last launch has ended.
class LoadedKernel {
 public:
  static constexpr napi_type_tag kTag{0x4f1ab7d20c6e4935, 0x93d8e2f6a15b7c04};

  /// What to build, and what its function takes: core's codes of types.
  struct Source {
    std::string image;  ///< PTX, a cubin or a fat binary; a text ends with a zero
    std::string function;
    std::vector<std::uint8_t> types;
  };

  /// The most that the device has for a group of it.
  struct Limits {
    int items = 0;
    int x = 0, y = 0, z = 0;  ///< items along an axis
    int shared = 0;           ///< bytes of dynamic shared memory
  };

  /// Begins to build it. Throws where there is no memory or thread for that.
  static std::shared_ptr<LoadedKernel> Ask(std::shared_ptr<Context> context, Source source);

  ~LoadedKernel();
  LoadedKernel(const LoadedKernel&) = delete;
  LoadedKernel& operator=(const LoadedKernel&) = delete;

  /// Whether the build has ended, well or not. From any thread.
  bool has_ended() const { return has_ended_; }
  /// Why there is no kernel: a DriverError, or std::runtime_error. Null: it is built. Once it has
  /// ended.
  const std::exception_ptr& error() const { return error_; }

  const std::shared_ptr<Context>& context() const { return context_; }
  FunctionHandle function() const { return function_; }
  /// Once it is built.
  const Limits& limits() const { return limits_; }
  /// What the function takes.
  const std::vector<std::uint8_t>& types() const { return source_.types; }
  /// Notes the point behind a launch, until which the module stays. From one thread.
  void NoteLaunch(const std::shared_ptr<WorkQueue>& queue, std::shared_ptr<Point> point);

  /// Allows so much dynamic shared memory. Throws DriverError.
  void NeedShared(std::uint32_t bytes);

 private:
  class Job;
  class Module;

  LoadedKernel(std::shared_ptr<Context> context, Source source, std::unique_ptr<Module> module);
  void Build() noexcept;
  void Load();
  void CheckParameters() const;
  Limits FindLimits() const;
  bool HasParameter(std::size_t index, std::size_t& size) const;
  /// Called when nobody will build it any more.
  void GiveUp() noexcept;

  std::shared_ptr<Context> context_;
  Source source_;
  Module& module_;
  FunctionHandle function_ = nullptr;
  Limits limits_;
  /// What is allowed. With static memory it may be less than 48 KiB at first.
  std::uint32_t shared_ = 0;
  std::exception_ptr error_;
  std::atomic<bool> has_ended_{false};
  Holder holder_;
  /// The last launch on each queue. Queues are not kept: they may end before the kernel.
  struct LastLaunch {
    std::weak_ptr<WorkQueue> queue;
    std::shared_ptr<Point> point;
  };
  std::vector<LastLaunch> launches_;
};

}  // namespace array_interface::cuda
