#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace array_interface {

struct FreeBytes {
  void operator()(std::byte* bytes) const { std::free(bytes); }
};
using AlignedBytes = std::unique_ptr<std::byte, FreeBytes>;

/// Memory with the alignment that other libraries require, JAX for one. Never null. Throws
/// std::bad_alloc.
AlignedBytes AllocateAligned(std::size_t bytes);

}  // namespace array_interface
