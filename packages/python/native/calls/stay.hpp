#pragma once

#include <atomic>
#include <cstdint>

namespace array_interface {

/// Whether a JavaScript thread is inside Python: from the first Entry on, until it is back with
/// JavaScript that nothing of Python's waits for. Callbacks on the way do not end a stay.
class Stay {
 public:
  /// On the JavaScript thread.
  void Begin() {
    if (depth_++ == 0) current_ = ++count_;
  }
  void End() {
    if (--depth_ == 0) current_ = 0;
  }

  /// The number of this stay; 0 outside of Python. On any thread.
  std::uint64_t current() const { return current_; }

 private:
  int depth_ = 0;
  std::uint64_t count_ = 0;
  std::atomic<std::uint64_t> current_{0};
};

}  // namespace array_interface
