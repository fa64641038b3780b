#pragma once

#include <atomic>
#include <functional>
#include <mutex>

namespace array_interface {

/// Ends the Python code of one thread early, with a KeyboardInterrupt. Code that is blocked in C
/// continues until it is back in Python. A wait for JavaScript is woken.
///
/// The cancelling thread takes the mutex while it is attached. So the cancelled thread may take it
/// only while detached: neither can then wait for what the other holds.
class Cancellation {
 public:
  /// The calling thread's cancellation. Null if nothing can cancel it.
  static Cancellation* OfThisThread();

  /// Makes the calling thread the one to cancel. The thread must be attached. False if it was
  /// cancelled already.
  bool Begin();
  /// The calling thread has ended its Python code. Clears an exception that has not reached the
  /// thread. The thread must be attached.
  void End();

  /// Cancels, once. True if that is before Begin, which then returns false. The calling thread must
  /// be attached, and not the cancelled one.
  bool Cancel();

  bool IsCancelled() const { return is_cancelled_; }

  /// Until StopWaiting, Cancel calls `wake`, which must not block. If Cancel came after the thread
  /// read `was_cancelled`, this calls it. The calling thread must be detached, for StopWaiting too.
  void StartWaiting(std::function<void()> wake, bool was_cancelled);
  void StopWaiting();

  /// Raises the KeyboardInterrupt that ended the thread's wait. The calling thread must be
  /// attached.
  static void Raise();

 private:
  std::mutex mutex_;
  std::atomic<bool> is_cancelled_{false};
  unsigned long thread_ = 0;  ///< Python's number of the thread; 0 while it runs no code
  bool has_begun_ = false;
  std::function<void()> wake_;
};

}  // namespace array_interface
