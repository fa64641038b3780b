#include "memory/opener.hpp"

#include <utility>

namespace array_interface::cuda {

Opener::Opener(std::shared_ptr<Stream> own, std::shared_ptr<Tenancy> tenancy,
               const IpcHandle& ready, const IpcHandle& back)
    : own_(std::move(own)),
      tenancy_(std::move(tenancy)),
      ready_(own_->context(), ready),
      back_(own_->context(), back) {}

void Opener::Before(WorkQueue& queue) {
  queue.Wait(ready_);
  queue.Wait(back_);
}

// Openers move "back" in turn: to a point after all that it stood for, and after all the queue's
// work.
void Opener::After(WorkQueue& queue) {
  auto* stream = static_cast<Stream*>(&queue);
  if (stream->context() != own_->context()) {
    own_->AssertRuns();
    own_->Wait(*queue.Record());
    stream = own_.get();
  }
  const Tenancy::Turn turn(*tenancy_);
  stream->Wait(back_);
  back_.Move(stream->handle());
}

}  // namespace array_interface::cuda
