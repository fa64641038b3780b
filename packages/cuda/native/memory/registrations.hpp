#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "memory/allocation.hpp"
#include "memory/bin.hpp"
#include "napi/early_end.hpp"

namespace array_interface::cuda {

/// Memory of this process that one environment told the driver of, and JavaScript keeps: when the
/// environment ends, the driver forgets it, after all work on it, before other addons free it.
class Registrations {
 public:
  Registrations(napi_env env, std::shared_ptr<Bin> bin)
      : bin_(std::move(bin)), end_(env, [this] { End(); }) {}

  void Add(const std::shared_ptr<Allocation>& memory);

 private:
  void End();

  std::shared_ptr<Bin> bin_;
  EarlyEnd end_;
  std::vector<std::weak_ptr<Allocation>> registered_;
};

}  // namespace array_interface::cuda
