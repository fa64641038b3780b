#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "napi/setup.hpp"
#include "work/loaded_module.hpp"

namespace array_interface::cuda {

/// A function of user code in a primary context. Another thread builds its module, or finds it
/// already built for another function.
class LoadedKernel {
 public:
  static constexpr napi_type_tag kTag{0x4f1ab7d20c6e4935, 0x93d8e2f6a15b7c04};

  /// What to build, and what its function takes, as core's type codes.
  struct Source {
    std::string image;  ///< null-terminated PTX, a cubin or a fat binary
    std::string function;
    std::vector<std::uint8_t> types;
  };

  /// The device's limits for a group of this kernel.
  struct Limits {
    int items = 0;
    int x = 0, y = 0, z = 0;  ///< items along each axis
    int shared = 0;           ///< bytes of dynamic shared memory
  };

  /// Starts to build it. Throws if there is no memory or thread for that.
  static std::shared_ptr<LoadedKernel> Ask(std::shared_ptr<Context> context, Source source);

  LoadedKernel(const LoadedKernel&) = delete;
  LoadedKernel& operator=(const LoadedKernel&) = delete;

  /// Whether the build has ended, successfully or not. Safe to call from any thread.
  bool has_ended() const { return has_ended_; }
  /// Why the build failed: a DriverError, or std::runtime_error. Null if it succeeded. Valid once
  /// the build has ended.
  const std::exception_ptr& error() const { return error_; }

  FunctionHandle function() const { return function_; }
  /// Valid once it is built.
  const Limits& limits() const { return limits_; }
  /// Type codes of the parameters.
  const std::vector<std::uint8_t>& types() const { return types_; }
  LoadedModule& module() const { return *module_; }

 private:
  class Job;

  LoadedKernel(std::shared_ptr<LoadedModule> module, std::string name,
               std::vector<std::uint8_t> types)
      : module_(std::move(module)), name_(std::move(name)), types_(std::move(types)) {}
  void Build() noexcept;
  void Load();
  void CheckParameters() const;
  Limits FindLimits() const;
  bool HasParameter(std::size_t index, std::size_t& size) const;
  /// Called when nothing will build it any more.
  void GiveUp() noexcept;

  std::shared_ptr<LoadedModule> module_;
  std::string name_;
  std::vector<std::uint8_t> types_;
  FunctionHandle function_ = nullptr;
  Limits limits_;
  std::exception_ptr error_;
  std::atomic<bool> has_ended_{false};
};

}  // namespace array_interface::cuda
