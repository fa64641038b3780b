#pragma once

namespace array_interface::sycl {

/// The handler that queues are made with. The runtime calls it for errors of work that already
/// runs, on the thread that waits for that work.
void NoteAsyncError(int code);

/// The code that was noted on this thread since the last call; 0 if none.
int TakeAsyncError();

}  // namespace array_interface::sycl
