#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/immortal.hpp"

namespace array_interface::cuda_simulator {

/// The name of the files behind device memory.
inline constexpr char memory_file[] = "memory";

/// A range of addresses with memory behind it.
struct Region {
  std::uintptr_t address = 0;  ///< what the program sees
  std::byte* backing =
      nullptr;  ///< where the simulator reads and writes; equals `address` if the host may
  std::size_t reserved = 0;  ///< whole pages
  int file = -1;             ///< what `backing` maps, for other processes; -1: private
  std::size_t offset = 0;    ///< of the region in `file`
};

/// How far apart regions are: the whole pages of `size` bytes, and an inaccessible page.
std::size_t distance_after(std::size_t size);

/// Hands out addresses, each only once in the life of the process. An inaccessible page follows
/// every region. Thread-safe.
class AddressSpace {
 public:
  /// `hidden`: the host cannot access the addresses themselves; the memory is mapped at a second
  /// address.
  explicit AddressSpace(bool hidden) : hidden_(hidden) {}

  /// Takes a region of at least `size` bytes, readable and writable at `backing`. Returns false if
  /// the system has no more memory or addresses.
  bool take(std::size_t size, Region& region);

  /// Takes a region over another owner's memory: `size` bytes of `file` from `offset`, a whole
  /// page. The region does not keep the file open. Returns false if the system refuses.
  bool take_view(std::size_t size, int file, std::size_t offset, Region& region);

  /// Takes addresses without memory, starting at a multiple of `alignment`, a power of two.
  bool take_addresses(std::size_t size, std::size_t alignment, Region& region);

  /// Returns the memory to the system. The addresses stay reserved and inaccessible.
  void give_back(const Region& region);

  /// Whether the address was reserved here, in use or not.
  bool owns(std::uintptr_t address);

 private:
  struct Chunk {
    std::uintptr_t start;
    std::size_t size;
    std::size_t next;  ///< offset of the first address never handed out
    int file;          ///< sparse, as large as the chunk, behind its second half; -1: none
  };

  bool reserve(std::size_t needed);
  void end_view(const Region& region);
  bool next_addresses(std::size_t whole, std::size_t alignment, Region& region);

  const bool hidden_;
  std::mutex mutex_;
  std::vector<Chunk> chunks_;
};

/// Addresses of device memory, which the host cannot read.
inline AddressSpace& device_addresses() { return immortal<AddressSpace, true>(); }

/// Addresses of pinned and managed memory, which the host can read.
inline AddressSpace& host_addresses() { return immortal<AddressSpace, false>(); }

}  // namespace array_interface::cuda_simulator
