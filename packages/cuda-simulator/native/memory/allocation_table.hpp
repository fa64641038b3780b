#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "address_space.hpp"
#include "base/cuda_abi.hpp"

namespace array_interface::cuda_simulator {

struct Context;

/// Memory that the driver knows. The system gets it back with the last reference, so that work in
/// flight always finds it.
struct Allocation {
  enum class Kind { device, managed, pinned, registered };
  enum class Source {
    call,      ///< cuMemAlloc and its like
    import,    ///< memory of another process, cuIpcOpenMemHandle
    pool,      ///< cuMemAllocAsync and its like, or imported into a pool
    mapped,    ///< cuMemMap
    variable,  ///< of a module
  };

  Allocation() = default;
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  ~Allocation();

  Kind kind = Kind::device;
  Source source = Source::call;
  Region region;
  std::size_t size = 0;            ///< bytes asked for
  unsigned flags = 0;              ///< as given by the caller
  std::uint64_t id = 0;            ///< never reused
  Context* context = nullptr;      ///< in which it was made; null for memory of a pool, and mapped
  CUdevice device = 0;             ///< where it lies, or which it was made for
  bool counted = false;            ///< against its device's memory
  std::uint64_t pool = 0;          ///< handle of its pool, or 0
  std::atomic<bool> usable{true};  ///< whether work that runs now may touch it: in pools stream
                                   ///< order says when, and mapped memory needs cuMemSetAccess
  std::atomic<bool> given_up{false};  ///< cuMemFreeAsync was called
  bool sync_memops = false;           ///< as set by cuPointerSetAttribute
  std::size_t slot = SIZE_MAX;        ///< of the process's IpcPage, once it was shared

  std::uintptr_t start() const { return region.address; }
  bool host_readable() const { return kind != Kind::device; }
  /// The place where the simulator has the byte at `address`, which must lie inside.
  std::byte* at(std::uintptr_t address) const { return region.backing + (address - start()); }
};

using AllocationPtr = std::shared_ptr<Allocation>;

/// What lies in a range of addresses.
struct Place {
  enum class Kind {
    allocation,  ///< all of it inside one allocation
    pageable,    ///< nothing the driver knows: ordinary host memory, as far as it can tell
    invalid,     ///< freed, a guard page, or beyond the end of an allocation
  };
  Kind kind = Kind::invalid;
  AllocationPtr allocation;

  bool is(Allocation::Kind wanted) const {
    return kind == Kind::allocation && allocation->kind == wanted;
  }
};

/// All allocations of the process. Thread-safe. Calls nothing that waits.
class AllocationTable {
 public:
  /// Makes device, managed or pinned memory for a context of `device`, every byte 0xCB. Null: there
  /// is not enough.
  AllocationPtr make(Context& context, CUdevice device, Allocation::Kind kind, std::size_t size,
                     unsigned flags);

  /// Makes memory that belongs to a pool and to no context.
  AllocationPtr make_pooled(Allocation::Kind kind, CUdevice device, std::uint64_t pool,
                            std::size_t size);

  /// Adds memory whose region lies elsewhere: another process's, or a mapping's.
  void put(const AllocationPtr& allocation);

  /// Registers the program's host memory. Null: a part of it is known already.
  AllocationPtr adopt(Context& context, CUdevice device, void* start, std::size_t size,
                      unsigned flags);

  /// Takes out the allocation of one of the kinds that starts at `start`, or null.
  AllocationPtr remove(std::uintptr_t start, std::initializer_list<Allocation::Kind> kinds);

  /// The allocation that starts at `start`, or null.
  AllocationPtr starting_at(std::uintptr_t start);

  /// What lies in [start, start + size).
  Place find(std::uintptr_t start, std::size_t size);

  /// All allocations made in `context`; in every context for null.
  std::vector<AllocationPtr> of(const Context* context);

  /// Bytes of device memory in use on a device.
  std::size_t used(CUdevice device);

  /// Whether there are as many as a process may have.
  bool is_full();

  /// Counts memory of a device that is not in the table. False: there is not so much.
  bool charge(CUdevice device, std::size_t size);
  void discharge(CUdevice device, std::size_t size);

 private:
  AllocationPtr make(const std::shared_ptr<Allocation>& allocation);

  std::mutex mutex_;
  std::map<std::uintptr_t, AllocationPtr> table_;  // by start
  std::map<CUdevice, std::size_t> used_;
  std::uint64_t last_id_ = 0;
};

AllocationTable& allocations();

}  // namespace array_interface::cuda_simulator
