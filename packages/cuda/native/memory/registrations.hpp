#pragma once

#include <memory>
#include <vector>

#include "memory/block.hpp"
#include "napi/early_end.hpp"

namespace array_interface::cuda {

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

  EarlyEnd end_;
  std::vector<Registered> registered_;
};

}  // namespace array_interface::cuda
