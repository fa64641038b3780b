#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/allocation_table.hpp"
#include "stream.hpp"

namespace array_interface::cuda_simulator {

/// One side of a copy: rows of bytes at a pitch.
struct Side {
  enum class Claim { host, device, any };  ///< what the caller declares the address to be

  std::uintptr_t address = 0;
  std::size_t pitch = 0;  ///< bytes from row to row; ignored for one row
  Claim claim = Claim::any;
};

/// Whether the caller used the synchronous or the asynchronous form of a call. For each kind of
/// memory, the driver's documentation specifies whether a form waits.
enum class Form { synchronous, asynchronous };

/// Copies `rows` rows of `width` bytes in stream order. Checks both sides against the allocations
/// now (Failure INVALID_VALUE), and again when the copy runs (ILLEGAL_ADDRESS, sticky). Ordinary
/// host memory is read, or written, before this returns. The asynchronous form does not wait for
/// pinned memory.
void copy(Stream& stream, const Side& destination, const Side& source, std::size_t width,
          std::size_t rows, Form form);

/// Returns the work of a copy that neither stages nor waits, for a graph. Checks both sides now,
/// and again when it runs.
Work copy_work(const Side& destination, const Side& source, std::size_t width, std::size_t rows);

/// Memory found when work runs. `bytes` is valid while `allocation` is held.
struct Mapped {
  AllocationPtr allocation;
  std::byte* bytes = nullptr;
};

/// Finds device-accessible memory as the device would. Returns false if the device would fault.
bool map_for_device(std::uintptr_t address, std::size_t size, Mapped& mapped);

/// Tells that device work, such as "a copy", cannot access a range. Throws Failure ILLEGAL_ADDRESS.
[[noreturn]] void fail_access(const char* work, std::uintptr_t address, std::size_t size);

}  // namespace array_interface::cuda_simulator
