#pragma once

#include <memory>
#include <utility>

#include "driver/sycl_error.hpp"
#include "queue.hpp"

namespace array_interface::sycl {

/// One use of a queue, by one queue object in JavaScript. It ends by disposal or by garbage
/// collection.
class QueueUse {
 public:
  static constexpr napi_type_tag kTag{0x1c6be02f7a934d58u, 0xa3f05be7c8d4126eu};

  /// Takes over a use that the queue has counted.
  explicit QueueUse(std::shared_ptr<Queue> queue) : queue_(std::move(queue)) {}
  ~QueueUse() { End(); }
  QueueUse(const QueueUse&) = delete;
  QueueUse& operator=(const QueueUse&) = delete;

  /// Throws SyclError ERR_DISPOSED once ended.
  const std::shared_ptr<Queue>& queue() const {
    if (queue_ != nullptr) return queue_;
    throw SyclError("ERR_DISPOSED", "queue", "expected a live queue, got one that was disposed");
  }

  /// Ends the use, once.
  void End() noexcept {
    const auto queue = std::exchange(queue_, nullptr);
    if (queue != nullptr) queue->EndUse();
  }

 private:
  std::shared_ptr<Queue> queue_;
};

}  // namespace array_interface::sycl
