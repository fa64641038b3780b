#pragma once

#include <memory>

#include "memory/cuda_allocation.hpp"

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

}  // namespace array_interface::cuda
