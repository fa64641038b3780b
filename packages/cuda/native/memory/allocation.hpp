#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "memory/bin.hpp"
#include "memory/block.hpp"
#include "napi/setup.hpp"

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
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  ~Allocation();

  /// Gives the memory back once `pending` has been reached. Does not wait.
  void Free(std::vector<std::shared_ptr<Event>> pending);

  bool freed() const { return block_ == nullptr; }
  /// Only while it is not freed.
  DevicePointer pointer() const { return block_->pointer(); }
  /// Only while it is not freed; null for device memory.
  std::byte* host() const { return block_->host(); }
  /// Bytes that were asked for.
  std::size_t size() const { return size_; }

 private:
  std::shared_ptr<Bin> bin_;
  std::unique_ptr<Block> block_;
  std::size_t size_;
};

}  // namespace array_interface::cuda
