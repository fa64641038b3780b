#pragma once

#include <memory>

#include "memory/block.hpp"
#include "peer_lock.hpp"
#include "shared_event.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// The process whose memory we opened, and the others that have it open. The exporter's two events
/// order their work with ours.
class IpcImporter final : public IpcPeers {
 public:
  /// `own` is a stream of ours on the memory's device. Throws DriverError.
  IpcImporter(std::shared_ptr<Stream> own, std::shared_ptr<PeerLock> peer_lock,
              const IpcHandle& ready, const IpcHandle& back);

  /// Throws LockTimeout.
  void Before(WorkQueue& queue) override;
  /// False: another process has the lock.
  bool After(WorkQueue& queue) override;
  bool Tell() override;
  /// None: closing the memory waits only for our own work; theirs may go on.
  Events Pending() override { return {}; }
  bool HaveLeft() noexcept override { return true; }

 private:
  void MoveBack(WorkQueue& queue);
  void MoveBackOn(Stream& stream);

  std::shared_ptr<Stream> own_;
  std::shared_ptr<PeerLock> peer_lock_;
  SharedEvent ready_;
  SharedEvent back_;
  Events untold_;  ///< after work that "back" does not stand for yet
};

}  // namespace array_interface::cuda
