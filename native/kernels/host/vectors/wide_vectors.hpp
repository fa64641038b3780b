#pragma once

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace array_interface {

/// FOR_WIDE_VECTORS compiles a function, and everything it calls in this file, for AVX2 and F16C.
/// Call it only if has_wide_vectors(). On processors other than x86 the compiler's default target
/// has all vectors; the function is then an unused copy.
#if defined(__x86_64__)
#define FOR_WIDE_VECTORS __attribute__((target("avx2,f16c"), flatten))

/// Whether the operating system saves these registers (Intel 64 manual, volume 1, 14.3).
inline bool keeps_registers(unsigned wanted) noexcept {
  unsigned low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & wanted) == wanted;
}

/// Whether the processor and the operating system support AVX2 and F16C. Runs cpuid itself:
/// __builtin_cpu_supports is always false in binaries that zig links, and clang before 16 does not
/// support f16c.
inline bool has_wide_vectors() noexcept {
  // cpuid is slow on virtual machines.
  static const bool has = [] {
    constexpr unsigned kNeeded = bit_OSXSAVE | bit_AVX | bit_F16C;
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kNeeded) != kNeeded) return false;
    constexpr unsigned kSseAndAvx = 0x6;
    if (!keeps_registers(kSseAndAvx)) return false;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_AVX2) != 0;
  }();
  return has;
}

/// The same for AVX-512 with its F, DQ, BW and VL parts.
inline bool has_widest_vectors() noexcept {
  static const bool has = [] {
    constexpr unsigned kNeeded = bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL;
    constexpr unsigned kAll = 0xe6;  // SSE, AVX, and the three parts of AVX-512
    unsigned a = 0, b = 0, c = 0, d = 0;
    return has_wide_vectors() && keeps_registers(kAll) &&
           __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & kNeeded) == kNeeded;
  }();
  return has;
}
#else
#define FOR_WIDE_VECTORS
inline bool has_wide_vectors() noexcept { return false; }
#endif

}  // namespace array_interface
