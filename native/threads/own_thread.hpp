#pragma once

namespace array_interface {

/// Tells the threads that an addon starts from those of others. No code of others runs on its own,
/// so what a call sets up for such a thread may stay.
class OwnThread {
 public:
  /// The calling thread is one that we started. Comes first on it.
  static void Mark() noexcept { is_own_ = true; }
  /// Whether the calling thread was marked.
  static bool IsThis() noexcept { return is_own_; }

 private:
  static inline thread_local bool is_own_ = false;
};

}  // namespace array_interface
