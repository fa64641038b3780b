#pragma once

#include <functional>
#include <memory>

namespace array_interface::sycl {

/// The error handler of our queues. The runtime calls it for errors of running work, on the thread
/// that waits for that work or ends its queue. A Catch on that thread gets the code; without one,
/// all subscribers are told.
void NoteAsyncError(int code);

/// Takes the errors that are noted on this thread while it lives.
class AsyncErrorCatch {
 public:
  AsyncErrorCatch();
  ~AsyncErrorCatch();
  AsyncErrorCatch(const AsyncErrorCatch&) = delete;
  AsyncErrorCatch& operator=(const AsyncErrorCatch&) = delete;

  /// The last code; 0 if none.
  int code() const { return code_; }

 private:
  friend void NoteAsyncError(int code);

  int code_ = 0;
  AsyncErrorCatch* const outer_;
};

/// Hears of an error that rejects no promise. Called on any thread; must not throw.
using AsyncErrorListener = std::function<void(int code)>;

/// Tells `listener` until the subscription is dropped. After that the listener is not called again.
std::shared_ptr<void> SubscribeToAsyncErrors(AsyncErrorListener listener);

/// Tells all subscribers.
void PublishAsyncError(int code);

}  // namespace array_interface::sycl
