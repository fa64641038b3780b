#pragma once

#include <memory>

#include "memory/block.hpp"
#include "memory/tenancy.hpp"
#include "work/shared_event.hpp"
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
  void After(WorkQueue& queue) override;
  /// None: closing the memory waits only for our own work; theirs may go on.
  Points Pending() override { return {}; }
  bool HaveLeft() noexcept override { return true; }

 private:
  void MoveBack(WorkQueue& queue);

  std::shared_ptr<Stream> own_;
  std::shared_ptr<Tenancy> tenancy_;
  SharedEvent ready_;
  SharedEvent back_;
};

}  // namespace array_interface::cuda
