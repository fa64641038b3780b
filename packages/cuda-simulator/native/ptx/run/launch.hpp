#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/cuda_abi.hpp"
#include "ptx/program/program.hpp"

namespace array_interface::cuda_simulator::ptx {

struct Dimensions {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;

  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// Memory with global addresses, as one launch sees it.
class GlobalMemory {
 public:
  virtual ~GlobalMemory() = default;
  /// Returns where the bytes [address, address + size) are until the launch ends. Returns null if
  /// they may not be accessed.
  virtual std::byte* find(std::uint64_t address, std::size_t size) = 0;
  /// Takes memory of the device's heap, at a multiple of 16. Returns 0 if the heap has not enough.
  virtual std::uint64_t allocate(std::size_t size) = 0;
  /// Returns memory to the device's heap. Returns false if none begins at the address.
  virtual bool release(std::uint64_t address) = 0;
};

/// One launch of a kernel of a placed program.
struct Launch {
  const Program* program = nullptr;
  const Kernel* kernel = nullptr;
  Dimensions grid;
  Dimensions block;
  std::size_t dynamic_shared = 0;
  std::vector<std::byte> parameters;
  std::uint64_t most_steps = 0;  ///< instructions of all threads together
  std::uint64_t number = 0;      ///< %gridid
  bool cooperative = false;      ///< all blocks are there at once, and may wait for one another
};

/// The reason why a launch failed.
struct Fault {
  CUresult error = CUDA_SUCCESS;
  std::string what = {};      ///< what happened, if the error and the address do not tell
  std::uint64_t address = 0;  ///< of the global memory that could not be accessed, if `size` > 0
  std::size_t size = 0;
  std::string where = {};  ///< thread, block, line and instruction
};

/// Runs the whole grid on the calling thread: block after block, or in turns if it is cooperative.
/// Returns the error that a device would report, with the place: ILLEGAL_ADDRESS,
/// MISALIGNED_ADDRESS, LAUNCH_FAILED for a trap, LAUNCH_TIMEOUT for too many instructions or a
/// deadlock of threads, HARDWARE_STACK_ERROR, INVALID_PC. Its error is CUDA_SUCCESS if all went
/// well.
Fault run(const Launch& launch, GlobalMemory& memory) noexcept;

}  // namespace array_interface::cuda_simulator::ptx
