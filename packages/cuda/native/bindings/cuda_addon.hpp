#pragma once

#include <memory>

#include "memory/bin.hpp"
#include "memory/registrations.hpp"
#include "napi/addon.hpp"

namespace array_interface::cuda {

/// What this addon keeps for one environment.
class CudaAddon : public Addon {
 public:
  CudaAddon(Napi::Env env, Napi::Function error_class)
      : Addon(env, error_class), registrations_(env, bin_) {}

  static CudaAddon& Of(Napi::Env env) { return static_cast<CudaAddon&>(Addon::Of(env)); }

  /// Allocations hold it too, since garbage collection may drop them after this object.
  const std::shared_ptr<Bin>& bin() const { return bin_; }

  Registrations& registrations() { return registrations_; }

 private:
  std::shared_ptr<Bin> bin_ = std::make_shared<Bin>();
  Registrations registrations_;
};

}  // namespace array_interface::cuda
