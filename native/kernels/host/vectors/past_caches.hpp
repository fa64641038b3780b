#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace array_interface {

/// Fetches the lines that a row fills only in part: they are written through the caches, and the
/// stores that follow wait until they are there, which takes as long as a kilobyte past the caches.
/// Always inlined: GCC treats a function that only prefetches as one that does nothing.
[[gnu::always_inline]] inline void fetch_ends(const unsigned char* to, std::size_t size) {
  constexpr std::uintptr_t line = 64;
  const auto start = reinterpret_cast<std::uintptr_t>(to);
  if (start % line != 0) __builtin_prefetch(to, 1);
  if ((start + size) % line != 0) __builtin_prefetch(to + size, 1);
}

#if defined(__SSE2__)

/// Writes whole cache lines with non-temporal stores, and partial lines through the caches. A
/// non-temporal store of part of a line would read and write memory each time.
inline void write_past_caches(unsigned char* to, const unsigned char* from, std::size_t size) {
  constexpr std::size_t line = 64;
  const std::size_t head =
      std::min<std::size_t>(-reinterpret_cast<std::uintptr_t>(to) % line, size);
  std::memcpy(to, from, head);
  std::size_t done = head;
  for (; done + line <= size; done += line) {
    for (std::size_t part = done; part < done + line; part += 16) {
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + part),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + part)));
    }
  }
  std::memcpy(to + done, from + done, size - done);
}

/// Must follow such writes before another thread reads the bytes.
inline void finish_stream() noexcept { _mm_sfence(); }

#else

inline void write_past_caches(unsigned char* to, const unsigned char* from, std::size_t size) {
  std::memcpy(to, from, size);
}

inline void finish_stream() noexcept {}

#endif

}  // namespace array_interface
