#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace array_interface {

/// Bytes [pointer + low, pointer + high) that a launch may touch through one pointer argument.
struct Extent {
  const void* pointer;   ///< value of the argument: address of the element with all-zero indices
  std::int64_t low;      ///< <= 0
  std::int64_t high;     ///< >= low; low == high when the launch touches nothing
  bool written;          ///< false: only read
  std::size_t argument;  ///< index of the pointer among the arguments
};

/// Sizes of a launch: blocks of a grid, or threads of a block.
using LaunchSize = std::array<std::uint32_t, 3>;

/// Host code built from the same source as a kernel of a PTX module. `arguments` is the
/// `kernelParams` of cuLaunchKernel: the address of each value. `conversion` is what the module is
/// specialised for, if it is (specialise.hpp).
struct HostKernel {
  const char* name;  ///< name of the .entry in the PTX
  std::size_t argument_count;
  const std::size_t* argument_sizes;  ///< bytes of each argument
  /// Runs the whole grid on the calling thread, regardless of the launch's dimensions. The host
  /// must be able to read and write the pointers among the arguments over extents(). Never throws.
  void (*run)(void** arguments, std::uint32_t conversion);
  /// Returns what run() would touch: one entry for each pointer argument. Reads no memory but
  /// `arguments`. Throws std::invalid_argument for invalid arguments; such a launch must not run.
  /// Invalid are: a rank outside 0..6, a length below 1, a count that is not the product of the
  /// lengths or is 2^31 or more, tiles that do not fit, words of 4 bytes that are not 4-byte
  /// aligned, and extents beyond 63 bits.
  std::array<Extent, 2> (*extents)(void** arguments, std::uint32_t conversion);
  /// Throws std::invalid_argument if the threads of such a launch would not do what run() does.
  /// Takes only arguments that extents() accepts.
  void (*check_grid)(void** arguments, const LaunchSize& grid, const LaunchSize& block);
};

/// The host implementations of the kernels of one PTX module.
struct HostModule {
  const char* ptx;
  const HostKernel* kernels;
  std::size_t kernel_count;
};

/// The host implementations for one of this project's modules, and the conversion that it is
/// specialised for.
struct FoundModule {
  const HostModule* module;  ///< nullptr for any other module
  std::uint32_t conversion;
};

/// Finds the host implementations for this text, which may be the output of specialise().
FoundModule find_host_module(std::string_view ptx);

/// Returns the host implementation with this name, or nullptr.
const HostKernel* find_host_kernel(const HostModule& module, const char* name) noexcept;

}  // namespace array_interface
