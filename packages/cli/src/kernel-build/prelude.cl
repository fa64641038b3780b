/* OpenCL C's built-in functions for PTX, which has none. Those that a kernel calls are linked into
 * its code before it is optimised. Each is exact; if its name begins with native_ or half_, it is
 * the GPU's own instruction. Functions that no instruction computes with OpenCL's precision (sin,
 * exp, pow and their like) are missing: `kernel build` refuses a kernel that calls one. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define PURE __attribute__((overloadable, const, always_inline))
#define OVERLOADED __attribute__((overloadable, always_inline))

/* X(type) for each type. */
#define FLOATS(X) X(float) X(double)
#define SIGNED(X) X(char) X(short) X(int) X(long)
#define UNSIGNED(X) X(uchar) X(ushort) X(uint) X(ulong)
#define INTEGERS(X) SIGNED(X) UNSIGNED(X)
#define NUMBERS(X) INTEGERS(X) FLOATS(X)

/* A scalar function as a function of vectors, which calls itself for each half. */
#define OF_HALVES_1(f, R, T)                                     \
  R##2 PURE f(T##2 a) { return (R##2)(f(a.x), f(a.y)); }         \
  R##3 PURE f(T##3 a) { return (R##3)(f(a.x), f(a.y), f(a.z)); } \
  R##4 PURE f(T##4 a) { return (R##4)(f(a.lo), f(a.hi)); }       \
  R##8 PURE f(T##8 a) { return (R##8)(f(a.lo), f(a.hi)); }       \
  R##16 PURE f(T##16 a) { return (R##16)(f(a.lo), f(a.hi)); }
#define OF_HALVES_2(f, T)                                                               \
  T##2 PURE f(T##2 a, T##2 b) { return (T##2)(f(a.x, b.x), f(a.y, b.y)); }              \
  T##3 PURE f(T##3 a, T##3 b) { return (T##3)(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)); } \
  T##4 PURE f(T##4 a, T##4 b) { return (T##4)(f(a.lo, b.lo), f(a.hi, b.hi)); }          \
  T##8 PURE f(T##8 a, T##8 b) { return (T##8)(f(a.lo, b.lo), f(a.hi, b.hi)); }          \
  T##16 PURE f(T##16 a, T##16 b) { return (T##16)(f(a.lo, b.lo), f(a.hi, b.hi)); }
#define OF_HALVES_3(f, T)                                                                          \
  T##2 PURE f(T##2 a, T##2 b, T##2 c) { return (T##2)(f(a.x, b.x, c.x), f(a.y, b.y, c.y)); }       \
  T##3 PURE f(T##3 a, T##3 b, T##3 c) {                                                            \
    return (T##3)(f(a.x, b.x, c.x), f(a.y, b.y, c.y), f(a.z, b.z, c.z));                           \
  }                                                                                                \
  T##4 PURE f(T##4 a, T##4 b, T##4 c) { return (T##4)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); } \
  T##8 PURE f(T##8 a, T##8 b, T##8 c) { return (T##8)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); } \
  T##16 PURE f(T##16 a, T##16 b, T##16 c) {                                                        \
    return (T##16)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi));                                      \
  }
/* The same, with one scalar as the last operand of all elements. */
#define OF_ONE_2(f, T)                                 \
  T##2 PURE f(T##2 a, T b) { return f(a, (T##2)(b)); } \
  T##3 PURE f(T##3 a, T b) { return f(a, (T##3)(b)); } \
  T##4 PURE f(T##4 a, T b) { return f(a, (T##4)(b)); } \
  T##8 PURE f(T##8 a, T b) { return f(a, (T##8)(b)); } \
  T##16 PURE f(T##16 a, T b) { return f(a, (T##16)(b)); }
#define OF_ONE_3(f, T)                                                 \
  T##2 PURE f(T##2 a, T b, T c) { return f(a, (T##2)(b), (T##2)(c)); } \
  T##3 PURE f(T##3 a, T b, T c) { return f(a, (T##3)(b), (T##3)(c)); } \
  T##4 PURE f(T##4 a, T b, T c) { return f(a, (T##4)(b), (T##4)(c)); } \
  T##8 PURE f(T##8 a, T b, T c) { return f(a, (T##8)(b), (T##8)(c)); } \
  T##16 PURE f(T##16 a, T b, T c) { return f(a, (T##16)(b), (T##16)(c)); }

/* Items and groups. OpenCL's dimension 0 is CUDA's x. */
#define BY_DIMENSION(name, X, Y, Z, beyond) \
  size_t PURE name(uint dimension) {        \
    switch (dimension) {                    \
      case 0:                               \
        return X;                           \
      case 1:                               \
        return Y;                           \
      case 2:                               \
        return Z;                           \
      default:                              \
        return beyond;                      \
    }                                       \
  }
#define REGISTER(name, axis) ((size_t)__nvvm_read_ptx_sreg_##name##_##axis())
#define GLOBAL_ID(axis) (REGISTER(ctaid, axis) * REGISTER(ntid, axis) + REGISTER(tid, axis))
#define GLOBAL_SIZE(axis) (REGISTER(nctaid, axis) * REGISTER(ntid, axis))
BY_DIMENSION(get_global_id, GLOBAL_ID(x), GLOBAL_ID(y), GLOBAL_ID(z), 0)
BY_DIMENSION(get_global_size, GLOBAL_SIZE(x), GLOBAL_SIZE(y), GLOBAL_SIZE(z), 1)
BY_DIMENSION(get_global_offset, 0, 0, 0, 0)
BY_DIMENSION(get_local_id, REGISTER(tid, x), REGISTER(tid, y), REGISTER(tid, z), 0)
BY_DIMENSION(get_local_size, REGISTER(ntid, x), REGISTER(ntid, y), REGISTER(ntid, z), 1)
BY_DIMENSION(get_group_id, REGISTER(ctaid, x), REGISTER(ctaid, y), REGISTER(ctaid, z), 0)
BY_DIMENSION(get_num_groups, REGISTER(nctaid, x), REGISTER(nctaid, y), REGISTER(nctaid, z), 1)

void __attribute__((overloadable, convergent, always_inline)) barrier(cl_mem_fence_flags flags) {
  (void)flags;
  __syncthreads();
}
#define FENCE(name)                                \
  void OVERLOADED name(cl_mem_fence_flags flags) { \
    (void)flags;                                   \
    __nvvm_membar_cta();                           \
  }
FENCE(mem_fence)
FENCE(read_mem_fence) FENCE(write_mem_fence)
/* Floating-point numbers. */
#define ROOT_1(f, of_float, of_double)             \
  float PURE f(float a) { return of_float(a); }    \
  double PURE f(double a) { return of_double(a); } \
  OF_HALVES_1(f, float, float) OF_HALVES_1(f, double, double)
#define ROOT_2(f, of_float, of_double)                          \
  float PURE f(float a, float b) { return of_float(a, b); }     \
  double PURE f(double a, double b) { return of_double(a, b); } \
  OF_HALVES_2(f, float) OF_HALVES_2(f, double)
    ROOT_1(fabs, __builtin_fabsf, __builtin_fabs) ROOT_1(sqrt, __builtin_sqrtf, __builtin_sqrt)
        ROOT_1(floor, __builtin_floorf, __builtin_floor)
            ROOT_1(ceil, __builtin_ceilf, __builtin_ceil)
                ROOT_1(trunc, __builtin_truncf, __builtin_trunc)
                    ROOT_1(rint, __builtin_rintf, __builtin_rint)
                        ROOT_1(round, __builtin_roundf, __builtin_round)
                            ROOT_2(fmin, __builtin_fminf, __builtin_fmin)
                                ROOT_2(fmax, __builtin_fmaxf, __builtin_fmax)
                                    ROOT_2(copysign, __builtin_copysignf, __builtin_copysign)
                                        OF_ONE_2(fmin, float) OF_ONE_2(fmin, double)
                                            OF_ONE_2(fmax, float) OF_ONE_2(fmax, double)

                                                float PURE fma(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
double PURE fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
OF_HALVES_3(fma, float)
OF_HALVES_3(fma, double)
#define COMMON(T)                                                                                  \
  T PURE mad(T a, T b, T c) { return a * b + c; }                                                  \
  T PURE rsqrt(T a) { return (T)1 / sqrt(a); }                                                     \
  T PURE degrees(T a) { return (T)57.295779513082320877 * a; }                                     \
  T PURE radians(T a) { return (T)0.017453292519943295769 * a; }                                   \
  T PURE sign(T a) { return a > 0 ? (T)1 : a < 0 ? (T)-1 : a == 0 ? a : (T)0; }                    \
  T PURE mix(T a, T b, T c) { return a + (b - a) * c; }                                            \
  T PURE step(T edge, T a) { return a < edge ? (T)0 : (T)1; }                                      \
  T PURE fdim(T a, T b) { return a > b ? a - b : a <= b ? (T)0 : a + b; }                          \
  OF_HALVES_3(mad, T)                                                                              \
  OF_HALVES_1(rsqrt, T, T) OF_HALVES_1(degrees, T, T) OF_HALVES_1(radians, T, T)                   \
      OF_HALVES_1(sign, T, T) OF_HALVES_3(mix, T) OF_HALVES_2(step, T) OF_HALVES_2(fdim, T) T PURE \
      dot(T a, T b) {                                                                              \
    return a * b;                                                                                  \
  }                                                                                                \
  T PURE dot(T##2 a, T##2 b) { return a.x * b.x + a.y * b.y; }                                     \
  T PURE dot(T##3 a, T##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                         \
  T PURE dot(T##4 a, T##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
    FLOATS(COMMON)

#define TESTS(T)                                         \
  int PURE isnan(T a) { return a != a; }                 \
  int PURE isinf(T a) { return fabs(a) == (T)INFINITY; } \
  int PURE isfinite(T a) { return fabs(a) < (T)INFINITY; }
        FLOATS(TESTS) int PURE signbit(float a) {
  return as_int(a) < 0;
}
int PURE signbit(double a) { return as_long(a) < 0; }

/* The GPU's own instructions. */
#define NATIVE_1(name, body)                         \
  float PURE native_##name(float a) { return body; } \
  float PURE half_##name(float a) { return body; }   \
  OF_HALVES_1(native_##name, float, float) OF_HALVES_1(half_##name, float, float)
#define NATIVE_2(name, body)                                  \
  float PURE native_##name(float a, float b) { return body; } \
  float PURE half_##name(float a, float b) { return body; }   \
  OF_HALVES_2(native_##name, float) OF_HALVES_2(half_##name, float)
#define LOG2_E 1.44269504f
#define LOG2_10 3.32192809f
NATIVE_1(sin, __nvvm_sin_approx_f(a))
NATIVE_1(cos, __nvvm_cos_approx_f(a))
NATIVE_1(tan, __nvvm_sin_approx_f(a) / __nvvm_cos_approx_f(a))
NATIVE_1(exp2, __nvvm_ex2_approx_f(a))
NATIVE_1(exp, __nvvm_ex2_approx_f(a *LOG2_E))
NATIVE_1(exp10, __nvvm_ex2_approx_f(a *LOG2_10))
NATIVE_1(log2, __nvvm_lg2_approx_f(a))
NATIVE_1(log, __nvvm_lg2_approx_f(a) / LOG2_E)
NATIVE_1(log10, __nvvm_lg2_approx_f(a) / LOG2_10)
NATIVE_1(sqrt, __nvvm_sqrt_approx_f(a))
NATIVE_1(rsqrt, __nvvm_rsqrt_approx_f(a))
NATIVE_1(recip, __nvvm_rcp_approx_ftz_f(a))
NATIVE_2(divide, __nvvm_div_approx_f(a, b))
NATIVE_2(powr, __nvvm_ex2_approx_f(b *__nvvm_lg2_approx_f(a)))

/* Numbers of every kind. */
#define ORDERED(T)                                                    \
  T PURE min(T a, T b) { return b < a ? b : a; }                      \
  T PURE max(T a, T b) { return a < b ? b : a; }                      \
  T PURE clamp(T a, T low, T high) { return min(max(a, low), high); } \
  OF_HALVES_2(min, T)                                                 \
  OF_HALVES_2(max, T) OF_HALVES_3(clamp, T) OF_ONE_2(min, T) OF_ONE_2(max, T) OF_ONE_3(clamp, T)
NUMBERS(ORDERED)

/* Integers. W is the type of twice the width, U the unsigned type. */
#define ABSOLUTE(T, U)                                                    \
  U PURE abs(T a) { return a < 0 ? -(U)a : (U)a; }                        \
  U PURE abs_diff(T a, T b) { return a < b ? (U)b - (U)a : (U)a - (U)b; } \
  OF_HALVES_1(abs, U, T)
ABSOLUTE(char, uchar)
ABSOLUTE(short, ushort) ABSOLUTE(int, uint) ABSOLUTE(long, ulong) ABSOLUTE(uchar, uchar)
    ABSOLUTE(ushort, ushort) ABSOLUTE(uint, uint) ABSOLUTE(ulong, ulong)
#define NARROW(T, W, least, most)                                                 \
  T PURE add_sat(T a, T b) { return (T)clamp((W)((W)a + b), (W)least, (W)most); } \
  T PURE sub_sat(T a, T b) { return (T)clamp((W)((W)a - b), (W)least, (W)most); } \
  T PURE hadd(T a, T b) { return (T)(((W)a + b) >> 1); }                          \
  T PURE rhadd(T a, T b) { return (T)(((W)a + b + 1) >> 1); }                     \
  T PURE mul_hi(T a, T b) { return (T)((W)((W)a * b) >> (sizeof(T) * 8)); }       \
  OF_HALVES_2(add_sat, T)                                                         \
  OF_HALVES_2(sub_sat, T) OF_HALVES_2(hadd, T) OF_HALVES_2(rhadd, T) OF_HALVES_2(mul_hi, T)
        NARROW(char, long, CHAR_MIN, CHAR_MAX) NARROW(short, long, SHRT_MIN, SHRT_MAX)
            NARROW(int, long, INT_MIN, INT_MAX) NARROW(uchar, long, 0, UCHAR_MAX)
                NARROW(ushort, long, 0, USHRT_MAX) NARROW(uint, long, 0, UINT_MAX) long PURE
    mul_hi(long a, long b) {
  return (long)((__int128)a * b >> 64);
}
ulong PURE mul_hi(ulong a, ulong b) { return (ulong)((unsigned __int128)a * b >> 64); }

int PURE mul24(int a, int b) { return a * b; }
uint PURE mul24(uint a, uint b) { return a * b; }
int PURE mad24(int a, int b, int c) { return a * b + c; }
uint PURE mad24(uint a, uint b, uint c) { return a * b + c; }

#define BITS(T, U, count)                                                                         \
  T PURE popcount(T a) { return (T)__builtin_popcountl((ulong)(U)a); }                            \
  T PURE clz(T a) { return (T)((U)a == 0 ? count : __builtin_clzl((ulong)(U)a) - (64 - count)); } \
  T PURE rotate(T a, T by) {                                                                      \
    return (T)(((U)a << ((U)by & (count - 1))) | ((U)a >> (-(U)by & (count - 1))));               \
  }                                                                                               \
  OF_HALVES_1(popcount, T, T) OF_HALVES_1(clz, T, T) OF_HALVES_2(rotate, T)
BITS(char, uchar, 8)
BITS(short, ushort, 16) BITS(int, uint, 32) BITS(long, ulong, 64) BITS(uchar, uchar, 8)
    BITS(ushort, ushort, 16) BITS(uint, uint, 32) BITS(ulong, ulong, 64)

#define SELECT(T, S, U)                              \
  T PURE select(T a, T b, S c) { return c ? b : a; } \
  T PURE select(T a, T b, U c) { return c ? b : a; }
        SELECT(char, char, uchar) SELECT(uchar, char, uchar) SELECT(short, short, ushort)
            SELECT(ushort, short,
                   ushort) SELECT(int, int, uint) SELECT(uint, int, uint) SELECT(long, long, ulong)
                SELECT(ulong, long, ulong) SELECT(float, int, uint) SELECT(double, long, ulong)

/* Conversions as C's own. */
#define CONVERT(T, F)                                                           \
  T PURE convert_##T(F a) { return (T)a; }                                      \
  T##2 PURE convert_##T##2(F##2 a) { return __builtin_convertvector(a, T##2); } \
  T##3 PURE convert_##T##3(F##3 a) { return __builtin_convertvector(a, T##3); } \
  T##4 PURE convert_##T##4(F##4 a) { return __builtin_convertvector(a, T##4); } \
  T##8 PURE convert_##T##8(F##8 a) { return __builtin_convertvector(a, T##8); } \
  T##16 PURE convert_##T##16(F##16 a) { return __builtin_convertvector(a, T##16); }
#define CONVERT_TO(T)                                                                     \
  CONVERT(T, char)                                                                        \
  CONVERT(T, short) CONVERT(T, int) CONVERT(T, long) CONVERT(T, uchar) CONVERT(T, ushort) \
      CONVERT(T, uint) CONVERT(T, ulong) CONVERT(T, float) CONVERT(T, double)
                    NUMBERS(CONVERT_TO)

/* Loads and stores of vectors, whose addresses need only the alignment of one element. */
#define LOAD(T, SPACE)                                       \
  T##2 OVERLOADED vload2(size_t at, const SPACE T *from) {   \
    from += at * 2;                                          \
    return (T##2)(from[0], from[1]);                         \
  }                                                          \
  T##3 OVERLOADED vload3(size_t at, const SPACE T *from) {   \
    from += at * 3;                                          \
    return (T##3)(from[0], from[1], from[2]);                \
  }                                                          \
  T##4 OVERLOADED vload4(size_t at, const SPACE T *from) {   \
    from += at * 4;                                          \
    return (T##4)(vload2(0, from), vload2(1, from));         \
  }                                                          \
  T##8 OVERLOADED vload8(size_t at, const SPACE T *from) {   \
    from += at * 8;                                          \
    return (T##8)(vload4(0, from), vload4(1, from));         \
  }                                                          \
  T##16 OVERLOADED vload16(size_t at, const SPACE T *from) { \
    from += at * 16;                                         \
    return (T##16)(vload8(0, from), vload8(1, from));        \
  }
#define STORE(T, SPACE)                                           \
  void OVERLOADED vstore2(T##2 value, size_t at, SPACE T *to) {   \
    to += at * 2;                                                 \
    to[0] = value.x;                                              \
    to[1] = value.y;                                              \
  }                                                               \
  void OVERLOADED vstore3(T##3 value, size_t at, SPACE T *to) {   \
    to += at * 3;                                                 \
    to[0] = value.x;                                              \
    to[1] = value.y;                                              \
    to[2] = value.z;                                              \
  }                                                               \
  void OVERLOADED vstore4(T##4 value, size_t at, SPACE T *to) {   \
    to += at * 4;                                                 \
    vstore2(value.lo, 0, to);                                     \
    vstore2(value.hi, 1, to);                                     \
  }                                                               \
  void OVERLOADED vstore8(T##8 value, size_t at, SPACE T *to) {   \
    to += at * 8;                                                 \
    vstore4(value.lo, 0, to);                                     \
    vstore4(value.hi, 1, to);                                     \
  }                                                               \
  void OVERLOADED vstore16(T##16 value, size_t at, SPACE T *to) { \
    to += at * 16;                                                \
    vstore8(value.lo, 0, to);                                     \
    vstore8(value.hi, 1, to);                                     \
  }
#define MOVES(T)                                                                               \
  LOAD(T, __global)                                                                            \
  LOAD(T, __local) LOAD(T, __private) LOAD(T, __constant) STORE(T, __global) STORE(T, __local) \
      STORE(T, __private)
                                        NUMBERS(MOVES)

#define LOAD_HALF(SPACE)                                           \
  float OVERLOADED vload_half(size_t at, const SPACE half *from) { \
    return __builtin_load_halff(from + at);                        \
  }
#define STORE_HALF(SPACE)                                                   \
  void OVERLOADED vstore_half(float value, size_t at, SPACE half *to) {     \
    __builtin_store_halff(value, to + at);                                  \
  }                                                                         \
  void OVERLOADED vstore_half_rte(float value, size_t at, SPACE half *to) { \
    __builtin_store_halff(value, to + at);                                  \
  }
                                            LOAD_HALF(__global) LOAD_HALF(__local) LOAD_HALF(
                                                __private) LOAD_HALF(__constant)
                                                STORE_HALF(__global) STORE_HALF(__local) STORE_HALF(
                                                    __private)

#define PREFETCH(T) \
  void OVERLOADED prefetch(const __global T *from, size_t count) { (void)from, (void)count; }
                                                    NUMBERS(PREFETCH)

/* Atomics. */
#define CHANGE(name, T, SPACE, builtin) \
  T OVERLOADED name(volatile SPACE T *at, T by) { return builtin(at, by); }
#define CHANGES(T, SPACE, least, most)                                                     \
  CHANGE(atomic_add, T, SPACE, __sync_fetch_and_add)                                       \
  CHANGE(atomic_sub, T, SPACE, __sync_fetch_and_sub)                                       \
  CHANGE(atomic_and, T, SPACE, __sync_fetch_and_and)                                       \
  CHANGE(atomic_or, T, SPACE, __sync_fetch_and_or)                                         \
  CHANGE(atomic_xor, T, SPACE, __sync_fetch_and_xor)                                       \
  CHANGE(atomic_xchg, T, SPACE, __sync_swap)                                               \
  CHANGE(atomic_min, T, SPACE, least)                                                      \
  CHANGE(atomic_max, T, SPACE, most)                                                       \
  T OVERLOADED atomic_inc(volatile SPACE T *at) { return __sync_fetch_and_add(at, (T)1); } \
  T OVERLOADED atomic_dec(volatile SPACE T *at) { return __sync_fetch_and_sub(at, (T)1); } \
  T OVERLOADED atomic_cmpxchg(volatile SPACE T *at, T expected, T value) {                 \
    return __sync_val_compare_and_swap(at, expected, value);                               \
  }
                                                        CHANGES(int, __global, __sync_fetch_and_min,
                                                                __sync_fetch_and_max)
                                                            CHANGES(int, __local,
                                                                    __sync_fetch_and_min,
                                                                    __sync_fetch_and_max)
                                                                CHANGES(uint, __global,
                                                                        __sync_fetch_and_umin,
                                                                        __sync_fetch_and_umax)
                                                                    CHANGES(uint, __local,
                                                                            __sync_fetch_and_umin,
                                                                            __sync_fetch_and_umax)
#define EXCHANGE_FLOAT(SPACE)                                                \
  float OVERLOADED atomic_xchg(volatile SPACE float *at, float value) {      \
    return as_float(__sync_swap((volatile SPACE uint *)at, as_uint(value))); \
  }
                                                                        EXCHANGE_FLOAT(__global)
                                                                            EXCHANGE_FLOAT(__local)

#include "prelude/integers.cl"
#include "prelude/floats.cl"
#include "prelude/relations.cl"
#include "prelude/vectors.cl"
#ifdef WITH_CONVERSIONS
#include "prelude/conversions.cl"
#endif
