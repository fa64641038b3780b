/* One number as another. Needs portable.h.
 *
 * convert_one(to, from, conversion)  from | to << 8 | flags << 16: codes in the order of
 * ElementType (element_type.hpp); the flags are below
 *
 * Results are NumPy's where NumPy defines them: integers wrap, floats round to nearest even,
 * complex numbers lose their imaginary part, whatever is not 0 is true. A float that an integer
 * cannot hold becomes the nearest that it can, NaN 0; others are cut off, or rounded first. WIDE:
 * the device has doubles; without it their codes may not be used. */
#ifndef ARRAY_INTERFACE_KERNELS_CONVERT_H
#define ARRAY_INTERFACE_KERNELS_CONVERT_H

#include "number.h"

/* Types of number, in the order of ElementType. */
#define BOOL 0u
#define INT8 1u
#define INT16 2u
#define INT32 3u
#define INT64 4u
#define UINT8 5u
#define UINT16 6u
#define UINT32 7u
#define UINT64 8u
#define FLOAT16 9u
#define BFLOAT16 10u
#define FLOAT32 11u
#define FLOAT64 12u
#define COMPLEX64 13u
#define COMPLEX128 14u

/* Flags of a conversion: whether bytes of the source and of the destination are swapped, and
 * whether a float that becomes an integer is rounded to the nearest, ties to even. */
#define SWAPS_SOURCE 1u
#define SWAPS_DESTINATION 2u
#define ROUNDS 4u

/* Bytes of a number, of a complex one those of a part. */
INLINE u32 word_size(u32 type) {
  if (type == BOOL || type == INT8 || type == UINT8) return 1u;
  if (type == INT16 || type == UINT16 || type == FLOAT16 || type == BFLOAT16) return 2u;
  if (type == INT64 || type == UINT64 || type == FLOAT64 || type == COMPLEX128) return 8u;
  return 4u;
}

INLINE u32 parts_of(u32 type) { return type >= COMPLEX64 ? 2u : 1u; }

/* Bytes of a number with all its parts. */
INLINE u32 element_size(u32 type) { return word_size(type) * parts_of(type); }

INLINE u64 swapped(u64 word, u32 size) {
  u64 bytes = (word & 0x00ff00ff00ff00ffUL) << 8 | (word >> 8 & 0x00ff00ff00ff00ffUL);
  if (size == 2u) return bytes & 0xffffUL;
  bytes = (bytes & 0x0000ffff0000ffffUL) << 16 | (bytes >> 16 & 0x0000ffff0000ffffUL);
  if (size == 4u) return bytes & 0xffffffffUL;
  return bytes << 32 | bytes >> 32;
}

INLINE u64 load_word(GLOBAL const unsigned char *from, u32 size, u32 swaps) {
  u64 word;
  if (size == 1u) return LOAD(u8, from);
  if (size == 2u) {
    word = LOAD(u16, from);
  } else if (size == 4u) {
    word = LOAD(u32, from);
  } else {
    word = LOAD(u64, from);
  }
  return swaps ? swapped(word, size) : word;
}

INLINE void store_word(GLOBAL unsigned char *to, u64 word, u32 size, u32 swaps) {
  if (size == 1u) {
    STORE(u8, to, word);
    return;
  }
  if (swaps) word = swapped(word, size);
  if (size == 2u) {
    STORE(u16, to, word);
  } else if (size == 4u) {
    STORE(u32, to, word);
  } else {
    STORE(u64, to, word);
  }
}

/* Rounds towards zero. A float that does not fit becomes the nearest integer that does, NaN 0.
 * Integers of 64 bits, and unsigned ones of 32, go through 64 bits; others through 32, for which
 * there are vectors. */
#define TRUNCATE(NAME, Float)                                                      \
  INLINE u64 NAME(Float value, u32 to) {                                           \
    const u32 bits = 8u * word_size(to);                                           \
    if (to >= UINT8 && bits >= 32u) {                                              \
      const u64 most = ~(u64)0 >> (64u - bits);                                    \
      if (!(value >= (Float)1)) return 0;                                          \
      if (value >= (Float)18446744073709551616.0f) return most;                    \
      return (u64)value < most ? (u64)value : most;                                \
    }                                                                              \
    if (bits == 64u) {                                                             \
      const i64 most = (i64)(~(u64)0 >> 1);                                        \
      if (value >= (Float)9223372036854775808.0f) return (u64)most;                \
      if (value < (Float)-9223372036854775808.0f) return (u64)(-most - 1);         \
      return value == value ? (u64)(i64)value : 0;                                 \
    }                                                                              \
    const i32 most = (i32)(~(u32)0 >> (to >= UINT8 ? 32u - bits : 33u - bits));    \
    const i32 least = to >= UINT8 ? 0 : -most - 1;                                 \
    const Float beyond = (Float)most + (Float)1; /* exact, which `most` is not */  \
    const Float kept = value < beyond && value >= (Float)least ? value : (Float)0; \
    i32 whole = (i32)kept;                                                         \
    whole = value >= beyond ? most : whole;                                        \
    whole = value < (Float)least ? least : whole;                                  \
    return (u64)(i64)whole;                                                        \
  }

TRUNCATE(truncate_float, float)

/* The word of a number, which was an integer, a float or a double, as type `to`. */
INLINE u64 word_of_float(float value, u32 to, u32 rounds) {
  if (to == BOOL) return value != 0.0f;
  if (to == FLOAT16) return half_of_float(value);
  if (to == BFLOAT16) return bfloat16_of_float(value);
  if (to == FLOAT32 || to == COMPLEX64) return BITS_OF_FLOAT(value);
#ifdef WIDE
  if (to == FLOAT64 || to == COMPLEX128) return BITS_OF_DOUBLE((double)value);
#endif
  return truncate_float(rounds ? whole_float(value) : value, to);
}

#ifdef WIDE
TRUNCATE(truncate_double, double)

INLINE u64 word_of_double(double value, u32 to, u32 rounds) {
  if (to == BOOL) return value != 0.0;
  if (to == FLOAT16) return half_of_float(float_for_half(BITS_OF_DOUBLE(value)));
  if (to == BFLOAT16) return bfloat16_of_float((float)value);
  if (to == FLOAT32 || to == COMPLEX64) return BITS_OF_FLOAT((float)value);
  if (to == FLOAT64 || to == COMPLEX128) return BITS_OF_DOUBLE(value);
  return truncate_double(rounds ? whole_double(value) : value, to);
}
#endif

INLINE u64 word_of_integer(u64 word, u32 is_signed, u32 to) {
  if (to == BOOL) return word != 0;
  if (to < FLOAT16) return word;
#ifdef WIDE
  if (to == FLOAT64 || to == COMPLEX128) {
    return BITS_OF_DOUBLE(is_signed ? (double)(i64)word : (double)word);
  }
#endif
  return word_of_float(is_signed ? (float)(i64)word : (float)word, to, 0u);
}

INLINE u64 converted(u64 word, u32 from, u32 to, u32 rounds) {
  if (from == BOOL) return word_of_integer(word != 0, 0, to);
  if (from <= INT64) {
    const u32 unused = 64u - 8u * word_size(from);
    return word_of_integer((u64)((i64)(word << unused) >> unused), 1, to);
  }
  if (from <= UINT64) return word_of_integer(word, 0, to);
  if (from == FLOAT16) return word_of_float(float_of_half((u16)word), to, rounds);
  if (from == BFLOAT16) return word_of_float(float_of_bfloat16((u16)word), to, rounds);
#ifdef WIDE
  if (from == FLOAT64 || from == COMPLEX128) {
    return word_of_double(DOUBLE_OF_BITS(word), to, rounds);
  }
#endif
  return word_of_float(FLOAT_OF_BITS((u32)word), to, rounds);
}

/* The word of a number, or the two of a complex one, as they lie in memory on one side, become
 * those of the other side. */
INLINE void convert_words(u64 *first, u64 *second, u32 conversion) {
  const u32 source = conversion & 0xffu;
  const u32 target = conversion >> 8 & 0xffu;
  const u32 flags = conversion >> 16;
  const u32 size = word_size(source);
  if (flags & SWAPS_SOURCE && size > 1u) {
    *first = swapped(*first, size);
    *second = swapped(*second, size);
  }
  /* a swap of bytes alone converts nothing, so that a NaN keeps its bits */
  if (source != target) {
    *first = converted(*first, source, target, flags & ROUNDS);
    if (source >= COMPLEX64 && (target == BOOL || target >= COMPLEX64)) {
      *second = converted(*second, source, target, 0u);
    }
    if (source >= COMPLEX64 && target == BOOL) *first |= *second;
  }
  if (flags & SWAPS_DESTINATION && word_size(target) > 1u) {
    *first = swapped(*first, word_size(target));
    *second = swapped(*second, word_size(target));
  }
}

INLINE void convert_one(GLOBAL unsigned char *to, GLOBAL const unsigned char *from,
                        u32 conversion) {
  const u32 source = conversion & 0xffu;
  const u32 target = conversion >> 8 & 0xffu;
  u64 first = load_word(from, word_size(source), 0u);
  u64 second = source >= COMPLEX64 ? load_word(from + word_size(source), word_size(source), 0u) : 0;
  convert_words(&first, &second, conversion);
  store_word(to, first, word_size(target), 0u);
  if (target >= COMPLEX64) store_word(to + word_size(target), second, word_size(target), 0u);
}

#endif
