#pragma once

#include <memory>

#include "lease_lock.hpp"
#include "memory/block.hpp"
#include "shared_event.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// What an importer knows about its peers: the process whose memory it opened, and the others that
/// have it open. The exporter's two events order their work with this process's.
class IpcImporter final : public IpcPeers {
 public:
  /// `own` must be a stream that this library created on the memory's device. Throws DriverError.
  IpcImporter(std::shared_ptr<Stream> own, std::shared_ptr<LeaseLock> lease_lock,
              const IpcHandle& ready, const IpcHandle& back);

  /// Throws LockError.
  void Before(WorkQueue& queue) override;
  /// Returns false if another process holds the lock.
  bool After(WorkQueue& queue) override;
  bool Tell() override;
  Events Pending() override;
  /// Closing the memory waits only for this process's work; the other processes' work may go on.
  bool HaveLeft() noexcept override { return true; }

 private:
  void MoveBack(WorkQueue& queue);
  void MoveBackOn(Stream& stream);

  std::shared_ptr<Stream> own_;
  std::shared_ptr<LeaseLock> lease_lock_;
  std::shared_ptr<SharedEvent> ready_;
  std::shared_ptr<SharedEvent> back_;
  Events untold_;  ///< events after work that "back" does not cover yet
};

}  // namespace array_interface::cuda
