#include "ipc_exporter.hpp"

#include <utility>

namespace array_interface::cuda {

IpcExporter::IpcExporter(DriverAllocation& memory, std::shared_ptr<Stream> own)
    : own_(std::move(own)),
      memory_(memory.Share()),
      ready_(std::make_shared<SharedEvent>(own_->context(), own_->handle())),
      back_(std::make_shared<SharedEvent>(own_->context(), own_->handle())),
      lease_(std::make_shared<IpcLease>()) {}

void IpcExporter::Before(WorkQueue& queue) {
  own_->AssertRuns();
  queue.Wait(*back_);
}

// `ready_` is always recorded on one stream, so it stays ordered after everything it covered
// before. The queue itself need not have waited for other work.
bool IpcExporter::After(WorkQueue& queue) {
  if (&queue != own_.get()) own_->Wait(*queue.Record());
  ready_->Move(own_->handle());
  return true;
}

Events IpcExporter::Pending() {
  if (back_->IsComplete()) return {};
  return {back_};
}

}  // namespace array_interface::cuda
