#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "cuda_event.hpp"

namespace array_interface::cuda {

/// The last event that this library recorded on a stream, for code that waits for all work. It
/// outlives the stream, and querying it touches no stream. Safe to call from any thread.
class LastEvent {
 public:
  void Move(std::shared_ptr<CudaEvent> last) {
    const std::lock_guard lock(mutex_);
    last_.swap(last);
  }

  /// Forgets `event` if it is the last one.
  void Forget(const std::shared_ptr<CudaEvent>& event) {
    std::shared_ptr<CudaEvent> last;  // outlives the lock
    const std::lock_guard lock(mutex_);
    if (last_ == event) last.swap(last_);
  }

  /// Null if nothing was recorded.
  std::shared_ptr<CudaEvent> last() const {
    const std::lock_guard lock(mutex_);
    return last_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<CudaEvent> last_;
};

/// The last events of an environment's streams, including streams that have ended. It touches no
/// stream, since another library's may be gone.
class LastEvents {
 public:
  void Add(std::shared_ptr<LastEvent> last_event);
  /// Returns the events to wait for. A failed event is reported once.
  Events Last();
  /// Drops those of streams that are gone whose work has ended without error.
  void ForgetEnded();

 private:
  std::vector<std::shared_ptr<LastEvent>> last_events_;
  std::size_t forget_at_ = 64;
};

}  // namespace array_interface::cuda
