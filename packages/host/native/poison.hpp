#pragma once

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARRAY_INTERFACE_ASAN
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ARRAY_INTERFACE_ASAN
#endif
#if defined(ARRAY_INTERFACE_ASAN)
#include <sanitizer/asan_interface.h>
#endif

namespace array_interface {

// AddressSanitizer checks only malloc's memory, unless other memory is poisoned explicitly.

#if defined(ARRAY_INTERFACE_ASAN)
/// Poisoned bytes behind each piece of memory.
constexpr std::size_t kRedZone = 64;
inline void Poison(const void* start, std::size_t size) {
  __asan_poison_memory_region(start, size);
}
inline void Unpoison(const void* start, std::size_t size) {
  __asan_unpoison_memory_region(start, size);
}
#else
constexpr std::size_t kRedZone = 0;
inline void Poison(const void* /*start*/, std::size_t /*size*/) {}
inline void Unpoison(const void* /*start*/, std::size_t /*size*/) {}
#endif

}  // namespace array_interface
