#pragma once

namespace array_interface {

/// Tells an addon's own threads from others. No other code runs on them, so a call need not undo
/// what it has set up for the thread.
class BackgroundThread {
 public:
  /// Marks the calling thread as one that this library started. Call it first.
  static void Mark() noexcept { is_own_ = true; }
  /// Whether the calling thread was marked.
  static bool IsThis() noexcept { return is_own_; }

 private:
  static inline thread_local bool is_own_ = false;
};

}  // namespace array_interface
