#pragma once

#include <memory>

#include "memory/bin.hpp"
#include "napi/addon.hpp"

namespace array_interface::cuda {

/// What this addon keeps for one environment.
class CudaAddon : public Addon {
 public:
  using Addon::Addon;

  static CudaAddon& Of(Napi::Env env) { return static_cast<CudaAddon&>(Addon::Of(env)); }

  /// Allocations hold it too, since garbage collection may drop them after this object.
  const std::shared_ptr<Bin>& bin() const { return bin_; }

 private:
  std::shared_ptr<Bin> bin_ = std::make_shared<Bin>();
};

}  // namespace array_interface::cuda
