#pragma once

#include <memory>
#include <vector>

#include "memory/block.hpp"
#include "memory/cuda_allocation.hpp"
#include "napi/cleanup_hook.hpp"

namespace array_interface::cuda {

/// Memory of this process that is registered with the driver. Nobody may free it before the driver
/// has forgotten it.
class RegisteredAllocation final : public CudaAllocation {
 public:
  /// Memory that does not move as long as `kept` lives. Throws DriverError.
  RegisteredAllocation(std::shared_ptr<Context> context, std::byte* host, std::size_t size,
                       std::shared_ptr<void> kept);
  ~RegisteredAllocation() override;

 protected:
  void GiveBack() override;

 private:
  std::shared_ptr<void> kept_;
};

/// Memory that one environment registered, and JavaScript keeps. When the environment ends, the
/// driver forgets it, after all work on it, before other addons free it.
class Registrations {
 public:
  explicit Registrations(napi_env env) : end_(env, [this] { End(); }) {}

  /// The memory keeps `kept` until the driver has forgotten it.
  void Add(const std::shared_ptr<Block>& block, std::weak_ptr<void> kept);

 private:
  struct Registered {
    std::weak_ptr<Block> block;
    std::weak_ptr<void> kept;
  };

  void End();

  CleanupHook end_;
  std::vector<Registered> registered_;
};

}  // namespace array_interface::cuda
