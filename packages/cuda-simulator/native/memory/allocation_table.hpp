#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "address_space.hpp"
#include "base/cuda_abi.hpp"
#include "nearby.hpp"

namespace array_interface::cuda_simulator {

struct Context;

/// Memory that the driver tracks. It returns to the system with the last reference, so that work in
/// flight always finds it.
struct Allocation {
  enum class Kind { device, managed, pinned, registered };
  enum class Source {
    call,      ///< cuMemAlloc and similar calls
    import,    ///< memory of another process, cuIpcOpenMemHandle
    pool,      ///< cuMemAllocAsync and similar calls, or imported into a pool
    mapped,    ///< cuMemMap
    variable,  ///< of a module
    heap,      ///< of malloc and free in kernels
  };

  Allocation(Kind its_kind, Source its_source, std::size_t its_size, CUdevice its_device,
             Context* creator = nullptr, unsigned its_flags = 0)
      : kind(its_kind),
        source(its_source),
        size(its_size),
        flags(its_flags),
        context(creator),
        device(its_device) {}
  Allocation(const Allocation&) = delete;
  Allocation& operator=(const Allocation&) = delete;
  ~Allocation();

  Kind kind;
  Source source;
  Region region;
  std::size_t size;                   ///< requested bytes
  unsigned flags;                     ///< as passed by the caller
  std::uint64_t id = 0;               ///< never reused
  Context* context;                   ///< creator; null for pool memory and mapped memory
  CUdevice device;                    ///< where the memory is, or which device it was created for
  bool counted = false;               ///< against its device's memory
  CUmemoryPool pool = nullptr;        ///< handle of its pool, or null
  std::atomic<bool> usable{true};     ///< whether work that runs now may touch it: in pools stream
                                      ///< order says when, and mapped memory needs cuMemSetAccess
  std::atomic<bool> given_up{false};  ///< cuMemFreeAsync was called
  bool sync_memops = false;           ///< as set by cuPointerSetAttribute
  std::size_t slot = SIZE_MAX;        ///< in the process's IpcPage, once shared
  std::shared_ptr<Allocation>
      whole;  ///< owns the region that this one is in; null if it is its own

  std::uintptr_t start() const { return region.address; }
  bool host_readable() const { return kind != Kind::device; }
  /// Returns the simulator's address of the byte at `address`, which must be inside the allocation.
  std::byte* at(std::uintptr_t address) const { return region.backing + (address - start()); }
};

using AllocationPtr = std::shared_ptr<Allocation>;

/// What is in a range of addresses.
struct Place {
  enum class Kind {
    allocation,  ///< all of it inside one allocation
    pageable,    ///< unknown to the driver: ordinary host memory, as far as it can tell
    invalid,     ///< freed, a guard page, beyond the end of an allocation, or in a heap of kernels
  };
  Kind kind = Kind::invalid;
  AllocationPtr allocation;

  bool is(Allocation::Kind wanted) const {
    return kind == Kind::allocation && allocation->kind == wanted;
  }
};

/// All allocations of the process. Thread-safe. Calls nothing that blocks.
class AllocationTable {
 public:
  /// Allocates device, managed or pinned memory for a context of `device`, every byte 0xCB. Throws
  /// Failure OUT_OF_MEMORY.
  AllocationPtr make(Context& context, CUdevice device, Allocation::Kind kind, std::size_t size,
                     unsigned flags = 0, Allocation::Source source = Allocation::Source::call);

  /// Allocates variables of a module in device memory, one for each of `sizes`. To a program they
  /// are as far apart as other allocations, but they need the mappings of one. Throws Failure
  /// OUT_OF_MEMORY.
  std::vector<AllocationPtr> make_variables(Context& context, CUdevice device,
                                            const std::vector<std::size_t>& sizes);

  /// Allocates memory that belongs to a pool and to no context. Returns null if there is not
  /// enough.
  AllocationPtr make_pooled(Allocation::Kind kind, CUdevice device, CUmemoryPool pool,
                            std::size_t size);

  /// Adds memory whose region is elsewhere: another process's, or a mapping's.
  void put(const AllocationPtr& allocation);

  /// Registers the program's host memory. Returns null if part of it is already tracked.
  AllocationPtr adopt(Context& context, CUdevice device, void* start, std::size_t size,
                      unsigned flags);

  /// Removes the allocation of one of the kinds that starts at `start`, and returns it. Null if
  /// there is none.
  AllocationPtr remove(std::uintptr_t start, std::initializer_list<Allocation::Kind> kinds);

  /// Returns the allocation that starts at `start`, or null.
  AllocationPtr starting_at(std::uintptr_t start);

  /// Returns what is in [start, start + size).
  Place find(std::uintptr_t start, std::size_t size);

  /// Returns the allocation that contains the byte at `address`. Throws Failure `error` if there is
  /// none.
  AllocationPtr around(std::uintptr_t address, CUresult error = CUDA_ERROR_INVALID_VALUE);

  /// Says where a range is that nobody may touch: how far it is from the nearest allocation, or
  /// since when it was freed.
  std::string describe(std::uintptr_t start, std::size_t size);

  /// Returns all allocations made in `context`; in every context for null.
  std::vector<AllocationPtr> of(const Context* context);

  /// Returns the bytes of device memory in use on a device.
  std::size_t used(CUdevice device);

  /// Whether the process has reached its limit of allocations.
  bool is_full();

  /// Counts memory of a device that is not in the table. Returns false if the device has not
  /// enough.
  bool charge(CUdevice device, std::size_t size);
  void discharge(CUdevice device, std::size_t size);

 private:
  AllocationPtr fill(const AllocationPtr& allocation);
  std::vector<AllocationPtr> divide(Context& context, CUdevice device,
                                    const std::vector<std::size_t>& sizes, const Region& region);
  void note_freed(const Allocation& allocation);

  std::mutex mutex_;
  std::map<std::uintptr_t, AllocationPtr> table_;  // by start
  std::size_t parts_ = 0;                          // of the table, in the regions of others
  std::map<CUdevice, std::size_t> used_;
  Ranges freed_;  // the last that were freed
  std::deque<std::uintptr_t> freed_in_order_;
  std::uint64_t last_id_ = 0;
};

inline AllocationTable& allocations() { return immortal<AllocationTable>(); }

}  // namespace array_interface::cuda_simulator
