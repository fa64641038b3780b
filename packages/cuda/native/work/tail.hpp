#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "work/event.hpp"

namespace array_interface::cuda {

/// The last point that we marked on a stream, for code that waits for all work. It outlives the
/// stream, and asking it touches no stream. On any thread.
class Tail {
 public:
  void Move(std::shared_ptr<Event> last) {
    const std::lock_guard lock(mutex_);
    last_.swap(last);
  }

  /// Forgets `point`, if it is the last one.
  void Forget(const std::shared_ptr<Event>& point) {
    std::shared_ptr<Event> last;  // outlives the lock
    const std::lock_guard lock(mutex_);
    if (last_ == point) last.swap(last_);
  }

  /// Null: nothing was marked.
  std::shared_ptr<Event> last() const {
    const std::lock_guard lock(mutex_);
    return last_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<Event> last_;
};

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
