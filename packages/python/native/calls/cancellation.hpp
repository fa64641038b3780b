#pragma once

#include <atomic>
#include <functional>
#include <mutex>

namespace array_interface {

/// Ends the Python code of one thread early, with a KeyboardInterrupt. Code that waits in C goes on
/// until it is back in Python; where it waits for JavaScript, it is woken.
///
/// The mutex is taken by the cancelling thread while it is attached, and so by the cancelled one
/// only while that is detached: neither can wait for what the other has.
class Cancellation {
 public:
  Cancellation() = default;
  Cancellation(const Cancellation&) = delete;
  Cancellation& operator=(const Cancellation&) = delete;
  ~Cancellation() = default;

  /// That of the calling thread, or null: nobody cancels it.
  static Cancellation* OfThisThread();

  /// From now on the calling thread, which is attached, is the one to cancel. False: it was
  /// cancelled already.
  bool Begin();
  /// The calling thread, which is attached, has done its Python code. An exception that has not
  /// reached it is taken back.
  void End();

  /// Cancels, once. The calling thread is attached, and another one.
  void Cancel();

  bool IsCancelled() const { return is_cancelled_; }
  /// Raises a KeyboardInterrupt that has not reached the calling thread yet, which is attached.
  /// False: it is raised now.
  static bool Deliver();

  /// Until StopWaiting, Cancel calls `wake`, which must not wait. Where Cancel came since the
  /// thread saw `was_cancelled`, this calls it. The calling thread is detached, as in StopWaiting.
  void StartWaiting(std::function<void()> wake, bool was_cancelled);
  void StopWaiting();

  /// Raises the KeyboardInterrupt where the thread waited. The calling thread is attached.
  static void Raise();

 private:
  std::mutex mutex_;
  std::atomic<bool> is_cancelled_{false};
  unsigned long thread_ = 0;  ///< as Python numbers it; 0 unless it runs
  std::function<void()> wake_;
};

}  // namespace array_interface
