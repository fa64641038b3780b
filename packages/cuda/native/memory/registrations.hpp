#pragma once

#include <memory>
#include <vector>

#include "memory/block.hpp"
#include "napi/early_end.hpp"

namespace array_interface::cuda {

/// Memory of this process that one environment told the driver of, and JavaScript keeps: when the
/// environment ends, the driver forgets it, after all work on it, before other addons free it.
class Registrations {
 public:
  explicit Registrations(napi_env env) : end_(env, [this] { End(); }) {}

  /// `kept` is what the memory keeps until the driver has forgotten it.
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
