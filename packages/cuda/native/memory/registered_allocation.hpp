#pragma once

#include <memory>

#include "memory/cuda_allocation.hpp"

namespace array_interface::cuda {

/// Memory of this process that the driver was told of, and nobody else may let go of until it has
/// forgotten it.
class RegisteredAllocation final : public CudaAllocation {
 public:
  /// Memory that stays where it is as long as `kept` is. Throws DriverError.
  RegisteredAllocation(std::shared_ptr<Context> context, std::byte* host, std::size_t size,
                       std::shared_ptr<void> kept);
  ~RegisteredAllocation() override;

 protected:
  void GiveBack() override;

 private:
  std::shared_ptr<void> kept_;
};

}  // namespace array_interface::cuda
