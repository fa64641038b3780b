#pragma once

#include <memory>
#include <vector>

#include "memory/block.hpp"
#include "memory/cuda_allocation.hpp"
#include "napi/cleanup_hook.hpp"

namespace array_interface::cuda {

/// Memory of this process that is registered with the driver. It must not be freed before the
/// driver has unregistered it.
class RegisteredAllocation final : public CudaAllocation {
 public:
  /// Registers memory that does not move as long as `kept` lives. Throws DriverError.
  RegisteredAllocation(std::shared_ptr<Context> context, std::byte* host, std::size_t size,
                       std::shared_ptr<void> kept);
  ~RegisteredAllocation() override;

 protected:
  void GiveBack() override;

 private:
  std::shared_ptr<void> kept_;
};

/// The memory that one environment registered and JavaScript keeps alive. When the environment
/// ends, the driver unregisters it, after all work on it and before other addons free it.
class Registrations {
 public:
  explicit Registrations(napi_env env) : end_(env, [this] { End(); }) {}

  /// `kept` lives until the driver has unregistered the memory.
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
