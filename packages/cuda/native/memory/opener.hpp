#pragma once

#include <memory>

#include "memory/block.hpp"
#include "memory/tenancy.hpp"
#include "work/shared_event.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// The process whose memory we opened, and the others that have it open: their work is ordered with
/// ours by the sharer's two events.
class Opener final : public Tenants {
 public:
  /// `own` is a stream of ours of the memory's device. Throws DriverError.
  Opener(std::shared_ptr<Stream> own, std::shared_ptr<Tenancy> tenancy, const IpcHandle& ready,
         const IpcHandle& back);

  void Before(WorkQueue& queue) override;
  void After(WorkQueue& queue) override;
  /// Theirs may go on: only what we did is waited for before the memory is closed.
  Points Pending() override { return {}; }
  bool HaveLeft() noexcept override { return true; }

 private:
  std::shared_ptr<Stream> own_;
  std::shared_ptr<Tenancy> tenancy_;
  SharedEvent ready_;
  SharedEvent back_;
};

}  // namespace array_interface::cuda
