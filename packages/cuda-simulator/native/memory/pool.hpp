#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>

#include "allocation_table.hpp"
#include "base/handle_table.hpp"

namespace array_interface::cuda_simulator {

/// A stream-ordered memory pool. Everything but the constants is guarded by `mutex`.
struct Pool {
  CUmemoryPool handle = nullptr;
  CUdevice device = 0;
  Allocation::Kind kind = Allocation::Kind::device;
  CUmemPoolProps properties{};
  bool imported = false;    ///< from another process: nothing is allocated from it here
  bool is_default = false;  ///< cannot be destroyed

  std::mutex mutex;
  std::uint64_t release_threshold = 0;
  int reuse[3] = {1, 1, 1};  ///< without effect, as addresses are never reused
  std::size_t used = 0, used_high = 0;
  std::size_t reserved = 0, reserved_high = 0;
  std::set<CUdevice> guests;  ///< other devices that may access its memory

  /// Tracks memory that is allocated and freed.
  void take(std::size_t size);
  void give(std::size_t size);
  void trim(std::size_t kept);
};

inline HandleTable<Pool, CUmemoryPool>& pools() {
  return immortal<HandleTable<Pool, CUmemoryPool>, 0x90, CUDA_ERROR_INVALID_VALUE>();
}

/// Creates a pool and adds it to the table.
std::shared_ptr<Pool> make_pool(CUdevice device, Allocation::Kind kind, bool is_default = false);

/// Returns the device's permanent pool for one kind of memory.
std::shared_ptr<Pool> default_pool(CUdevice device, Allocation::Kind kind);

/// Returns the pool of cuMemAllocAsync.
std::shared_ptr<Pool> current_pool(CUdevice device, Allocation::Kind kind);
void set_current_pool(const std::shared_ptr<Pool>& pool);

}  // namespace array_interface::cuda_simulator
