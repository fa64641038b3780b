#include "memory/allocation.hpp"

#include <utility>

#include "driver/driver_error.hpp"

namespace array_interface::cuda {

namespace {

std::unique_ptr<Block> Allocate(const std::shared_ptr<Context>& context, Bin& bin, MemoryKind kind,
                                std::size_t size) {
  if (kind == MemoryKind::kStaging) return bin.Staging(context, size);
  return std::make_unique<Block>(context, kind, size);
}

}  // namespace

Allocation::Allocation(const std::shared_ptr<Context>& context, std::shared_ptr<Bin> bin,
                       MemoryKind kind, std::size_t size)
    : bin_(std::move(bin)),
      block_(bin_->Try([&] { return Allocate(context, *bin_, kind, size); })),
      size_(size) {}

Allocation::Allocation(std::unique_ptr<Block> block, std::shared_ptr<Bin> bin)
    : bin_(std::move(bin)), block_(std::move(block)), size_(block_->size()) {}

void Allocation::Abandon() {
  if (!freed()) bin_->PutUnknown(std::move(block_), std::move(leases_));
}

void Allocation::Free(std::vector<std::shared_ptr<Event>> pending) {
  if (!freed()) bin_->Put(std::move(block_), std::move(pending), std::move(leases_));
}

void Allocation::FreeOn(const Stream& stream, std::vector<std::shared_ptr<Event>> pending) {
  if (freed()) return;
  try {
    // It would record the freeing, and never do it.
    if (stream.IsCapturing()) {
      Free(std::move(pending));
      return;
    }
    for (const auto& event : pending) stream.Wait(*event);
    block_->ReleaseOn(stream.handle());
    block_.reset();
  } catch (const DriverError&) {
    Free(std::move(pending));
  }
}

void Allocation::Lend(std::shared_ptr<Lease> lease) { leases_.push_back(std::move(lease)); }

}  // namespace array_interface::cuda
