/* Conversions that name a rounding, or that saturate. Without a rounding, integers are made by
 * truncation (_rtz), and floats by rounding to the nearest (_rte), as OpenCL says. */

/* A conversion of vectors that calls that of scalars for each half. */
#define CONVERSION(name, T, F, body)                                                       \
  T PURE convert_##T##name(F a) { return body; }                                           \
  T##2 PURE convert_##T##2##name(F##2 a) {                                                 \
    return (T##2)(convert_##T##name(a.x), convert_##T##name(a.y));                         \
  }                                                                                        \
  T##3 PURE convert_##T##3##name(F##3 a) {                                                 \
    return (T##3)(convert_##T##name(a.x), convert_##T##name(a.y), convert_##T##name(a.z)); \
  }                                                                                        \
  T##4 PURE convert_##T##4##name(F##4 a) {                                                 \
    return (T##4)(convert_##T##2##name(a.lo), convert_##T##2##name(a.hi));                 \
  }                                                                                        \
  T##8 PURE convert_##T##8##name(F##8 a) {                                                 \
    return (T##8)(convert_##T##4##name(a.lo), convert_##T##4##name(a.hi));                 \
  }                                                                                        \
  T##16 PURE convert_##T##16##name(F##16 a) {                                              \
    return (T##16)(convert_##T##8##name(a.lo), convert_##T##8##name(a.hi));                \
  }

/* From floats. `most` may be rounded up, and is then too large. NaN becomes 0. */
#define SATURATED(T, F, least, most, a) \
  ((a) != (a) ? (T)0 : (a) <= (F)least ? (T)least : (a) >= (F)most ? (T)most : (T)(a))
#define FROM_FLOAT(T, F, least, most)                                         \
  CONVERSION(_rte, T, F, (T)rint(a))                                          \
  CONVERSION(_rtz, T, F, (T)a)                                                \
  CONVERSION(_rtp, T, F, (T)ceil(a))                                          \
  CONVERSION(_rtn, T, F, (T)floor(a))                                         \
  CONVERSION(_sat, T, F, SATURATED(T, F, least, most, a))                     \
  CONVERSION(_sat_rte, T, F, SATURATED(T, F, least, most, rint(a)))           \
  CONVERSION(_sat_rtz, T, F, SATURATED(T, F, least, most, a))                 \
  CONVERSION(_sat_rtp, T, F, SATURATED(T, F, least, most, ceil(a)))           \
  CONVERSION(_sat_rtn, T, F, SATURATED(T, F, least, most, floor(a)))

/* From integers, which no rounding changes. */
#define FROM_INTEGER(T, F, body)                                                               \
  CONVERSION(_rte, T, F, (T)a)                                                                 \
  CONVERSION(_rtz, T, F, (T)a)                                                                 \
  CONVERSION(_rtp, T, F, (T)a)                                                                 \
  CONVERSION(_rtn, T, F, (T)a)                                                                 \
  CONVERSION(_sat, T, F, body)                                                                 \
  CONVERSION(_sat_rte, T, F, body)                                                             \
  CONVERSION(_sat_rtz, T, F, body) CONVERSION(_sat_rtp, T, F, body) CONVERSION(_sat_rtn, T, F, body)
#define FROM_SIGNED(T, F, least, most) \
  FROM_INTEGER(T, F, (long)a < (long)least ? (T)least : a > 0 && (ulong)a > (ulong)most ? (T)most : (T)a)
#define FROM_UNSIGNED(T, F, most) FROM_INTEGER(T, F, (ulong)a > (ulong)most ? (T)most : (T)a)
#define TO_INTEGER(T, least, most)   \
  FROM_FLOAT(T, float, least, most)  \
  FROM_FLOAT(T, double, least, most) \
  FROM_SIGNED(T, char, least, most)  \
  FROM_SIGNED(T, short, least, most) \
  FROM_SIGNED(T, int, least, most)   \
  FROM_SIGNED(T, long, least, most)  \
  FROM_UNSIGNED(T, uchar, most)      \
  FROM_UNSIGNED(T, ushort, most) FROM_UNSIGNED(T, uint, most) FROM_UNSIGNED(T, ulong, most)
TO_INTEGER(char, CHAR_MIN, CHAR_MAX)
TO_INTEGER(uchar, 0, UCHAR_MAX)
TO_INTEGER(short, SHRT_MIN, SHRT_MAX)
TO_INTEGER(ushort, 0, USHRT_MAX)
TO_INTEGER(int, INT_MIN, INT_MAX)
TO_INTEGER(uint, 0, UINT_MAX)
TO_INTEGER(long, LONG_MIN, LONG_MAX)
TO_INTEGER(ulong, 0, ULONG_MAX)

/* To floats: by the GPU's own conversion, in PTX. clang 15's builtins take 128 bits for a long, and
 * round integers to the nearest where they should round towards zero. */
#define ROUNDED(name, T, F, instruction, out, in)                        \
  T PURE made_##T##name(F a) {                                           \
    T made;                                                              \
    __asm__("cvt." instruction " %0, %1;" : "=" out(made) : in(a));      \
    return made;                                                         \
  }                                                                      \
  CONVERSION(name, T, F, made_##T##name(a))
#define TO_FLOAT(T, F, types, out, in)                \
  ROUNDED(_rte, T, F, "rn." types, out, in)           \
  ROUNDED(_rtz, T, F, "rz." types, out, in)           \
  ROUNDED(_rtp, T, F, "rp." types, out, in)           \
  ROUNDED(_rtn, T, F, "rm." types, out, in)
#define EXACT(T, F)            \
  CONVERSION(_rte, T, F, (T)a) \
  CONVERSION(_rtz, T, F, (T)a) CONVERSION(_rtp, T, F, (T)a) CONVERSION(_rtn, T, F, (T)a)
EXACT(float, char)
EXACT(float, uchar)
EXACT(float, short)
EXACT(float, ushort)
TO_FLOAT(float, int, "f32.s32", "f", "r")
TO_FLOAT(float, uint, "f32.u32", "f", "r")
TO_FLOAT(float, long, "f32.s64", "f", "l")
TO_FLOAT(float, ulong, "f32.u64", "f", "l")
EXACT(float, float)
TO_FLOAT(float, double, "f32.f64", "f", "d")
EXACT(double, char)
EXACT(double, uchar)
EXACT(double, short)
EXACT(double, ushort)
EXACT(double, int)
EXACT(double, uint)
TO_FLOAT(double, long, "f64.s64", "d", "l")
TO_FLOAT(double, ulong, "f64.u64", "d", "l")
EXACT(double, float)
EXACT(double, double)
