#include "memory/opener.hpp"

#include <utility>

namespace array_interface::cuda {

Opener::Opener(std::shared_ptr<Stream> own, std::shared_ptr<Tenancy> tenancy,
               const IpcHandle& ready, const IpcHandle& back)
    : own_(std::move(own)),
      tenancy_(std::move(tenancy)),
      ready_(own_->context(), ready),
      back_(own_->context(), back) {}

// Who gets no turn now would get none for what comes after the work, so the work is refused.
void Opener::Before(WorkQueue& queue) {
  static_cast<void>(Tenancy::Turn(*tenancy_));
  queue.Wait(ready_);
  queue.Wait(back_);
}

// The others cannot be told of work that is there already, so it ends before they go on.
void Opener::After(WorkQueue& queue) {
  try {
    const Tenancy::Turn turn(*tenancy_);
    MoveBack(queue);
  } catch (const NoTurn&) {
    queue.Synchronize();
  }
}

/// To a point after all that it stood for, and after all the queue's work.
void Opener::MoveBack(WorkQueue& queue) {
  auto* stream = static_cast<Stream*>(&queue);
  if (stream->context() != own_->context()) {
    own_->AssertRuns();
    own_->Wait(*queue.Record());
    stream = own_.get();
  }
  stream->Wait(back_);
  back_.Move(stream->handle());
}

}  // namespace array_interface::cuda
