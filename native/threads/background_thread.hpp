#pragma once

namespace array_interface {

/// Tells an addon's own threads from others. No other code runs on them, so a call may leave there
/// what it has set up.
class BackgroundThread {
 public:
  /// Marks the calling thread as one that we started. Call it first.
  static void Mark() noexcept { is_own_ = true; }
  /// Whether the calling thread was marked.
  static bool IsThis() noexcept { return is_own_; }

 private:
  static inline thread_local bool is_own_ = false;
};

}  // namespace array_interface
