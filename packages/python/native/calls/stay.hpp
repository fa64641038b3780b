#pragma once

#include <atomic>
#include <cstdint>

namespace array_interface {

/// Whether a JavaScript thread is inside Python. A stay begins with the first Entry. It ends when
/// the thread is back in JavaScript that no Python code waits for. Callbacks in between do not end
/// it.
class Stay {
 public:
  /// Must be called on the JavaScript thread.
  void Begin() {
    if (depth_++ == 0) current_ = ++count_;
  }
  void End() {
    if (--depth_ == 0) current_ = 0;
  }

  /// The number of this stay; 0 outside Python. Safe to call from any thread.
  std::uint64_t current() const { return current_; }

 private:
  int depth_ = 0;
  std::uint64_t count_ = 0;
  std::atomic<std::uint64_t> current_{0};
};

}  // namespace array_interface
