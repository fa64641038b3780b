/* What integers have beside what `prelude.cl` defines: sums of 64 bits, products, halves put
 * together. */

/* The sum and the difference of 64-bit integers, which no wider type holds. */
long PURE add_sat(long a, long b) {
  long sum = (long)((ulong)a + (ulong)b);
  return ((a ^ sum) & (b ^ sum)) < 0 ? (a < 0 ? LONG_MIN : LONG_MAX) : sum;
}
long PURE sub_sat(long a, long b) {
  long rest = (long)((ulong)a - (ulong)b);
  return ((a ^ b) & (a ^ rest)) < 0 ? (a < 0 ? LONG_MIN : LONG_MAX) : rest;
}
ulong PURE add_sat(ulong a, ulong b) { return a > ULONG_MAX - b ? ULONG_MAX : a + b; }
ulong PURE sub_sat(ulong a, ulong b) { return a < b ? 0 : a - b; }
#define HALF_SUMS(T)                                                                     \
  T PURE hadd(T a, T b) { return (T)((a >> 1) + (b >> 1) + (a & b & 1)); }               \
  T PURE rhadd(T a, T b) { return (T)((a >> 1) + (b >> 1) + ((a | b) & 1)); }            \
  OF_HALVES_2(add_sat, T)                                                                \
  OF_HALVES_2(sub_sat, T) OF_HALVES_2(hadd, T) OF_HALVES_2(rhadd, T) OF_HALVES_2(mul_hi, T)
HALF_SUMS(long)
HALF_SUMS(ulong)

/* W holds each product of two. */
#define MAD_SAT(T, W, least, most)                                                       \
  T PURE mad_sat(T a, T b, T c) {                                                        \
    W whole = (W)a * b + c;                                                              \
    return whole < (W)least ? (T)least : whole > (W)most ? (T)most : (T)whole;           \
  }                                                                                      \
  OF_HALVES_3(mad_sat, T)
MAD_SAT(char, int, CHAR_MIN, CHAR_MAX)
MAD_SAT(uchar, int, 0, UCHAR_MAX)
MAD_SAT(short, long, SHRT_MIN, SHRT_MAX)
MAD_SAT(ushort, long, 0, USHRT_MAX)
MAD_SAT(int, long, INT_MIN, INT_MAX)
MAD_SAT(uint, ulong, 0, UINT_MAX)
MAD_SAT(long, __int128, LONG_MIN, LONG_MAX)
MAD_SAT(ulong, unsigned __int128, 0, ULONG_MAX)

#define MAD_HI(T)                                               \
  T PURE mad_hi(T a, T b, T c) { return (T)(mul_hi(a, b) + c); } \
  OF_HALVES_3(mad_hi, T)
INTEGERS(MAD_HI)

OF_HALVES_2(mul24, int)
OF_HALVES_2(mul24, uint)
OF_HALVES_3(mad24, int)
OF_HALVES_3(mad24, uint)

#define DIFFERENCES(T, U)                                                                     \
  U##2 PURE abs_diff(T##2 a, T##2 b) { return (U##2)(abs_diff(a.x, b.x), abs_diff(a.y, b.y)); } \
  U##3 PURE abs_diff(T##3 a, T##3 b) {                                                        \
    return (U##3)(abs_diff(a.x, b.x), abs_diff(a.y, b.y), abs_diff(a.z, b.z));                \
  }                                                                                           \
  U##4 PURE abs_diff(T##4 a, T##4 b) {                                                        \
    return (U##4)(abs_diff(a.lo, b.lo), abs_diff(a.hi, b.hi));                                \
  }                                                                                           \
  U##8 PURE abs_diff(T##8 a, T##8 b) {                                                        \
    return (U##8)(abs_diff(a.lo, b.lo), abs_diff(a.hi, b.hi));                                \
  }                                                                                           \
  U##16 PURE abs_diff(T##16 a, T##16 b) {                                                     \
    return (U##16)(abs_diff(a.lo, b.lo), abs_diff(a.hi, b.hi));                               \
  }
DIFFERENCES(char, uchar)
DIFFERENCES(short, ushort)
DIFFERENCES(int, uint)
DIFFERENCES(long, ulong)
DIFFERENCES(uchar, uchar)
DIFFERENCES(ushort, ushort)
DIFFERENCES(uint, uint)
DIFFERENCES(ulong, ulong)

#define UPSAMPLE_OF(R, T, U, bits, n)                                                    \
  R##n PURE upsample(T##n high, U##n low) {                                              \
    return (__builtin_convertvector(high, R##n) << (R)bits) | __builtin_convertvector(low, R##n); \
  }
#define UPSAMPLE(R, T, U, bits)                                                          \
  R PURE upsample(T high, U low) { return (R)((R)((R)high << bits) | low); }             \
  UPSAMPLE_OF(R, T, U, bits, 2)                                                          \
  UPSAMPLE_OF(R, T, U, bits, 3)                                                          \
  UPSAMPLE_OF(R, T, U, bits, 4) UPSAMPLE_OF(R, T, U, bits, 8) UPSAMPLE_OF(R, T, U, bits, 16)
UPSAMPLE(short, char, uchar, 8)
UPSAMPLE(ushort, uchar, uchar, 8)
UPSAMPLE(int, short, ushort, 16)
UPSAMPLE(uint, ushort, ushort, 16)
UPSAMPLE(long, int, uint, 32)
UPSAMPLE(ulong, uint, uint, 32)
