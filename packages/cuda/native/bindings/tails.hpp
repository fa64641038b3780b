#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "work/tail.hpp"

namespace array_interface::cuda {

/// The last points of an environment's streams, also of streams that have ended since. It touches
/// no stream, since another library's may be gone.
class Tails {
 public:
  void Add(std::shared_ptr<Tail> tail);
  /// Points to wait for. A failed point is reported once.
  std::vector<std::shared_ptr<CudaPoint>> Last();

 private:
  void Forget();

  std::vector<std::shared_ptr<Tail>> tails_;
  std::size_t forget_at_ = 64;
};

}  // namespace array_interface::cuda
