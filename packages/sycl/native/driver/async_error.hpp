#pragma once

#include <functional>
#include <memory>

namespace array_interface::sycl {

/// The error handler of this library's queues. The runtime calls it for errors of running work, on
/// the thread that waits for that work or ends its queue. An AsyncErrorCatch on that thread
/// receives the code. If there is none, all subscribers do.
void NoteAsyncError(int code);

/// Receives the errors that are reported on this thread during its lifetime.
class AsyncErrorCatch {
 public:
  AsyncErrorCatch();
  ~AsyncErrorCatch();
  AsyncErrorCatch(const AsyncErrorCatch&) = delete;
  AsyncErrorCatch& operator=(const AsyncErrorCatch&) = delete;

  /// The last code; 0 if there was no error.
  int code() const { return code_; }

 private:
  friend void NoteAsyncError(int code);

  int code_ = 0;
  AsyncErrorCatch* const outer_;
};

/// Receives the code of an error that rejects no promise. Called on any thread. Must not throw.
using AsyncErrorListener = std::function<void(int code)>;

/// Calls `listener` for each error until the subscription is dropped. The listener is not called
/// after that.
std::shared_ptr<void> SubscribeToAsyncErrors(AsyncErrorListener listener);

/// Calls all subscribers.
void PublishAsyncError(int code);

}  // namespace array_interface::sycl
