#pragma once

#include <functional>
#include <memory>

namespace array_interface::sycl {

/// The handler that queues are made with. The runtime calls it for errors of work that already
/// runs, on the thread that waits for that work or ends its queue. Whoever has a Catch on that
/// thread gets the code; otherwise everybody who subscribed is told.
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

/// Told of an error that no promise carries; called on any thread, must not throw.
using AsyncErrorListener = std::function<void(int code)>;

/// Tells `listener` until the subscription is dropped; once that returns, it is not called again.
std::shared_ptr<void> SubscribeToAsyncErrors(AsyncErrorListener listener);

/// Tells everybody who subscribed.
void PublishAsyncError(int code);

}  // namespace array_interface::sycl
