#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "memory/bin.hpp"
#include "memory/block.hpp"
#include "memory/lease.hpp"
#include "napi/setup.hpp"
#include "work/stream.hpp"

namespace array_interface::cuda {

/// Memory of ours in JavaScript's hands. Giving it back may wait for the device and so happens in
/// the bin; what garbage collection drops waits for all work of its context there.
class Allocation {
 public:
  static constexpr napi_type_tag kTag{0x7be4d1a09c3f4b58, 0x8e6f20c1d5a49b04};

  /// Uninitialised memory for `size` bytes. When the driver has no more, what is in the bin goes
  /// first, which may wait for the device. Throws DriverError.
  Allocation(const std::shared_ptr<Context>& context, std::shared_ptr<Bin> bin, MemoryKind kind,
             std::size_t size);
  /// Takes over a block that was made elsewhere.
  Allocation(std::unique_ptr<Block> block, std::shared_ptr<Bin> bin);
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  ~Allocation() { Abandon(); }

  /// Gives the memory back once `pending` has been reached. Does not wait.
  void Free(std::vector<std::shared_ptr<Event>> pending);

  /// Gives the memory back once all work of its context has ended, where nobody knows what is
  /// pending. Does not wait.
  void Abandon();

  /// Gives memory of a pool back to it in the order of `stream`, after `pending`. Does not wait;
  /// while the stream is captured, and when the driver refuses, it is freed as other memory.
  void FreeOn(const Stream& stream, std::vector<std::shared_ptr<Event>> pending);

  /// Keeps the memory, once it is freed, until the lease has ended, too.
  void Lend(std::shared_ptr<Lease> lease);

  bool freed() const { return block_ == nullptr; }
  /// Only while it is not freed; so are the next two.
  const Block& block() const { return *block_; }
  DevicePointer pointer() const { return block_->pointer(); }
  /// Null for device memory.
  std::byte* host() const { return block_->host(); }
  /// Bytes that were asked for.
  std::size_t size() const { return size_; }

 private:
  std::shared_ptr<Bin> bin_;
  std::unique_ptr<Block> block_;
  std::size_t size_;
  std::vector<std::shared_ptr<Lease>> leases_;
};

}  // namespace array_interface::cuda
