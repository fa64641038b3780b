#pragma once

#include <memory>

#include "ipc/shared_event.hpp"
#include "ipc/tenancy.hpp"
#include "memory/block.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// The process whose memory we opened, and the others that have it open. The sharer's two events
/// order their work with ours.
class Opener final : public Tenants {
 public:
  /// `own` is a stream of ours on the memory's device. Throws DriverError.
  Opener(std::shared_ptr<Stream> own, std::shared_ptr<Tenancy> tenancy, const IpcHandle& ready,
         const IpcHandle& back);

  /// Throws NoTurn.
  void Before(WorkQueue& queue) override;
  /// False: another process has the lock.
  bool After(WorkQueue& queue) override;
  bool Tell() override;
  /// None: closing the memory waits only for our own work; theirs may go on.
  Points Pending() override { return {}; }
  bool HaveLeft() noexcept override { return true; }

 private:
  void MoveBack(WorkQueue& queue);
  void MoveBackOn(Stream& stream);

  std::shared_ptr<Stream> own_;
  std::shared_ptr<Tenancy> tenancy_;
  SharedEvent ready_;
  SharedEvent back_;
  Points untold_;  ///< after work that "back" does not stand for yet
};

}  // namespace array_interface::cuda
