#include "ipc_importer.hpp"

#include <utility>

namespace array_interface::cuda {

IpcImporter::IpcImporter(std::shared_ptr<Stream> own, std::shared_ptr<LeaseLock> lease_lock,
                         const IpcHandle& ready, const IpcHandle& back)
    : own_(std::move(own)),
      lease_lock_(std::move(lease_lock)),
      ready_(std::make_shared<SharedEvent>(own_->context(), ready)),
      back_(std::make_shared<SharedEvent>(own_->context(), back)) {}

// If the lock is unavailable now, it would also be unavailable after the work, so the work is
// refused.
void IpcImporter::Before(WorkQueue& queue) {
  static_cast<void>(LeaseLock::Exclusive(*lease_lock_));
  queue.Wait(*ready_);
  queue.Wait(*back_);
}

// The work is already enqueued and can no longer be refused.
bool IpcImporter::After(WorkQueue& queue) {
  try {
    const LeaseLock::Exclusive turn(*lease_lock_);
    MoveBack(queue);
    return true;
  } catch (const LockError&) {
    untold_.push_back(queue.Record());
    return false;
  }
}

bool IpcImporter::Tell() {
  DropComplete(untold_);
  if (untold_.empty()) return true;
  if (!own_->Runs()) return false;
  try {
    const LeaseLock::Exclusive turn(*lease_lock_);
    MoveBackOn(*own_);
    return true;
  } catch (const LockError&) {
    return false;
  }
}

Events IpcImporter::Pending() {
  Events events{ready_, back_};
  DropComplete(events);
  return events;
}

/// Moves "back" after everything that it covered, and after all the queue's work.
void IpcImporter::MoveBack(WorkQueue& queue) {
  auto& stream = static_cast<Stream&>(queue);
  if (stream.context() == own_->context()) return MoveBackOn(stream);
  own_->AssertRuns();
  own_->Wait(*queue.Record());
  MoveBackOn(*own_);
}

void IpcImporter::MoveBackOn(Stream& stream) {
  DropComplete(untold_);
  for (const auto& event : untold_) stream.Wait(*event);
  stream.Wait(*back_);
  back_->Move(stream.handle());
  untold_.clear();
}

}  // namespace array_interface::cuda
