#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "driver/context.hpp"
#include "napi/setup.hpp"
#include "threads/reaper.hpp"
#include "work/event.hpp"
#include "work/live_counts.hpp"

namespace array_interface::cuda {

enum class AllocationKind { kDevice, kManaged, kPinned };

/// Memory that we allocated. Giving it back may wait for the device, so that it happens on the
/// reaper's thread; one that garbage collection drops waits for all work of its context.
class Allocation {
 public:
  static constexpr napi_type_tag kTag{0x7be4d1a09c3f4b58, 0x8e6f20c1d5a49b04};

  /// Uninitialised bytes, at least one. Throws DriverError.
  Allocation(std::shared_ptr<Context> context, std::shared_ptr<Reaper> reaper, AllocationKind kind,
             std::size_t size);
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  ~Allocation();

  /// Gives the memory back once `pending` has been reached. Does not wait.
  void Free(std::vector<std::shared_ptr<Event>> pending);

  bool freed() const { return block_ == nullptr; }
  /// The first byte as kernels and copies of the context use it.
  DevicePointer pointer() const { return pointer_; }
  /// The first byte as this process uses it; null for device memory.
  std::byte* host() const { return host_; }
  std::size_t size() const { return size_; }

 private:
  struct Block;
  void Post(std::vector<std::shared_ptr<Event>> pending, bool wait_for_all);

  std::shared_ptr<Reaper> reaper_;
  std::unique_ptr<Block> block_;
  DevicePointer pointer_ = 0;
  std::byte* host_ = nullptr;
  std::size_t size_;
};

}  // namespace array_interface::cuda
