/* Conversions between the bits of floats that C has no types for. Each branch can become a select,
 * so that compilers make vector code. Needs portable.h. Rounding is to nearest, ties to even; NaN
 * stays NaN with its sign; denormal halves are exact.
 *
 * whole_float(x), whole_double(x)      the nearest whole number, ties to even, in the same type
 * BITS_OF_FLOAT(x), FLOAT_OF_BITS(u)   a float's 32 bits, and back
 * BITS_OF_DOUBLE(x), DOUBLE_OF_BITS(u) a double's 64 bits, and back */
#ifndef ARRAY_INTERFACE_KERNELS_NUMBER_H
#define ARRAY_INTERFACE_KERNELS_NUMBER_H

#include "portable.h"

INLINE float float_of_half(u16 bits16) {
  const u32 magnitude = (u32)(bits16 & 0x7fff);
  const u32 normal = (magnitude << 13) + 0x38000000u;
  const u32 special = magnitude << 13 | 0x7f800000u;
  const u32 denormal = BITS_OF_FLOAT((float)(i32)magnitude * 5.9604644775390625e-8f); /* 2^-24 */
  u32 bits = magnitude < 0x400u ? denormal : normal;
  bits = magnitude >= 0x7c00u ? special : bits;
  return FLOAT_OF_BITS(bits | (u32)(bits16 & 0x8000) << 16);
}

INLINE u16 half_of_float(float value) {
  const u32 bits = BITS_OF_FLOAT(value);
  const u32 sign = bits >> 16 & 0x8000u;
  const u32 magnitude = bits & 0x7fffffffu;
  /* the addition rounds a denormal half: its unit is the last bit of 0.5f */
  const u32 denormal = BITS_OF_FLOAT(FLOAT_OF_BITS(magnitude) + 0.5f) - 0x3f000000u;
  const u32 normal = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
  const u32 nan = 0x7c00u | 0x200u | (magnitude >> 13 & 0x1ffu);
  u32 packed = magnitude < 0x38800000u ? denormal : normal;
  packed = magnitude >= 0x477ff000u ? 0x7c00u : packed;
  packed = magnitude > 0x7f800000u ? nan : packed;
  return (u16)(packed | sign);
}

/* A float that rounds to a half as the double with these 64 bits does: the double is cut off, and
 * the last bit is set if anything was lost. A number smaller than any float rounds to 0 anyway. */
INLINE float float_for_half(u64 bits) {
  const u32 sign = (u32)(bits >> 32) & 0x80000000u;
  const u64 magnitude = bits & 0x7fffffffffffffffUL;
  const u32 lost = (magnitude & 0x1fffffffUL) != 0;
  const u32 cut = (u32)((magnitude - 0x3800000000000000UL) >> 29) | lost;
  const u32 nan = 0x7fc00000u | ((u32)(magnitude >> 29) & 0x3fffffu);
  u32 result = magnitude < 0x3810000000000000UL ? 0u : cut;
  result = magnitude >= 0x47f0000000000000UL ? 0x7f800000u : result;
  result = magnitude > 0x7ff0000000000000UL ? nan : result;
  return FLOAT_OF_BITS(result | sign);
}

INLINE float float_of_bfloat16(u16 value) { return FLOAT_OF_BITS((u32)value << 16); }

INLINE u16 bfloat16_of_float(float value) {
  const u32 bits = BITS_OF_FLOAT(value);
  const u32 rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  const u32 nan = bits >> 16 | 0x40u;
  return (u16)((bits & 0x7fffffffu) > 0x7f800000u ? nan : rounded);
}

/* The addition rounds: the last digit of 2^23 stands for 1. A larger float is whole, and NaN stays.
 */
INLINE float whole_float(float value) {
  const u32 bits = BITS_OF_FLOAT(value);
  const float ones = FLOAT_OF_BITS(0x4b000000u | (bits & 0x80000000u));
  const float whole = value + ones - ones;
  return (bits & 0x7fffffffu) < 0x4b000000u ? whole : value;
}

#if defined(WIDE) || defined(__cplusplus)
/* As whole_float(), with 2^52. */
INLINE double whole_double(double value) {
  const u64 bits = BITS_OF_DOUBLE(value);
  const double ones = DOUBLE_OF_BITS(0x4330000000000000UL | (bits & 0x8000000000000000UL));
  const double whole = value + ones - ones;
  return (bits & 0x7fffffffffffffffUL) < 0x4330000000000000UL ? whole : value;
}
#endif

#endif
