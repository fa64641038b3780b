#include "ipc/opener.hpp"

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

// The work is there already, and can be refused no more.
bool Opener::After(WorkQueue& queue) {
  try {
    const Tenancy::Turn turn(*tenancy_);
    MoveBack(queue);
    return true;
  } catch (const NoTurn&) {
    untold_.push_back(queue.Record());
    return false;
  }
}

bool Opener::Tell() {
  DropReached(untold_);
  if (untold_.empty()) return true;
  if (!own_->Runs()) return false;
  try {
    const Tenancy::Turn turn(*tenancy_);
    MoveBackOn(*own_);
    return true;
  } catch (const NoTurn&) {
    return false;
  }
}

/// To a point after all that it stood for, and after all the queue's work.
void Opener::MoveBack(WorkQueue& queue) {
  auto& stream = static_cast<Stream&>(queue);
  if (stream.context() == own_->context()) return MoveBackOn(stream);
  own_->AssertRuns();
  own_->Wait(*queue.Record());
  MoveBackOn(*own_);
}

void Opener::MoveBackOn(Stream& stream) {
  DropReached(untold_);
  for (const auto& point : untold_) stream.Wait(*point);
  stream.Wait(back_);
  back_.Move(stream.handle());
  untold_.clear();
}

}  // namespace array_interface::cuda
