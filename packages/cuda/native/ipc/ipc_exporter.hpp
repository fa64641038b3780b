#pragma once

#include <memory>

#include "ipc_lease.hpp"
#include "memory/block.hpp"
#include "memory/cuda_allocation.hpp"
#include "shared_event.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// What the exporter knows about its peers: other processes that have this process's memory open,
/// and two events for ordering with them: "ready" after this process's work, "back" after theirs.
class IpcExporter final : public IpcPeers {
 public:
  /// `own` must be a stream that this library created on the memory's device, and must already wait
  /// for all work on the memory. Throws DriverError, std::system_error.
  IpcExporter(DriverAllocation& memory, std::shared_ptr<Stream> own);

  void Before(WorkQueue& queue) override;
  bool After(WorkQueue& queue) override;
  bool Tell() override { return true; }
  Events Pending() override;
  bool HaveLeft() noexcept override { return lease_->TryEnd(); }

  const IpcHandle& memory() const { return memory_; }
  const SharedEvent& ready() const { return *ready_; }
  const SharedEvent& back() const { return *back_; }
  const std::shared_ptr<IpcLease>& lease() const { return lease_; }

 private:
  std::shared_ptr<Stream> own_;
  IpcHandle memory_;
  std::shared_ptr<SharedEvent> ready_;
  std::shared_ptr<SharedEvent> back_;
  std::shared_ptr<IpcLease> lease_;
};

}  // namespace array_interface::cuda
