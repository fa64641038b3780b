#pragma once

#include "memory/caching_allocator.hpp"

namespace array_interface {

/// The caching allocator of all threads of an addon. Never destroyed.
inline CachingAllocator& ProcessAllocator() {
  static auto& allocator = *new CachingAllocator();
  return allocator;
}

}  // namespace array_interface
