#include "scratch.hpp"

#include "poison.hpp"

namespace array_interface {

#if defined(ARRAY_INTERFACE_ASAN)

// AddressSanitizer sees only what malloc returns.
std::pmr::memory_resource& Scratch() { return *std::pmr::new_delete_resource(); }

#else

namespace {

/// A thread keeps no larger blocks.
constexpr std::size_t kLargest = std::size_t{1} << 20;

}  // namespace

std::pmr::memory_resource& Scratch() {
  thread_local std::pmr::unsynchronized_pool_resource pool({1, kLargest});
  return pool;
}

#endif

}  // namespace array_interface
