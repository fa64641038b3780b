#pragma once

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace array_interface {

/// FOR_WIDE_VECTORS compiles a function, and all that it calls in this file, for AVX2 and F16C.
/// Call it only where has_wide_vectors(). On other processors than x86 the compiler's own target
/// has all vectors, and the function is one more copy that is never called.
#if defined(__x86_64__)
#define FOR_WIDE_VECTORS __attribute__((target("avx2,f16c"), flatten))
inline bool has_wide_vectors() noexcept {
  // clang before 16 does not know f16c by name. Asking the processor is slow on virtual machines.
  static const bool has = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __builtin_cpu_supports("avx2") && __get_cpuid(1, &a, &b, &c, &d) != 0 &&
           (c & bit_F16C) != 0;
  }();
  return has;
}
#else
#define FOR_WIDE_VECTORS
inline bool has_wide_vectors() noexcept { return false; }
#endif

}  // namespace array_interface
