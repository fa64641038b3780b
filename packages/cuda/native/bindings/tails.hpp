#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "work/tail.hpp"

namespace array_interface::cuda {

/// The last points of an environment's streams, those included that have ended since. Touches no
/// stream: a stranger's may be gone.
class Tails {
 public:
  void Add(std::shared_ptr<Tail> tail);
  /// What is not known to be reached, and what failed.
  std::vector<std::shared_ptr<Event>> Last();

 private:
  void Forget();

  std::vector<std::shared_ptr<Tail>> tails_;
  std::size_t forget_at_ = 64;
};

}  // namespace array_interface::cuda
