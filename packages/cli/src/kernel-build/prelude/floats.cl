/* Functions of floats whose results are exact, or are formulas of the standard, beside what
 * `prelude.cl` defines. */

/* One scalar for all elements. */
#define WITH_SCALARS(T, n)                                                                \
  T##n PURE mix(T##n a, T##n b, T c) { return mix(a, b, (T##n)(c)); }                     \
  T##n PURE step(T edge, T##n a) { return step((T##n)(edge), a); }                        \
  T##n PURE smoothstep(T low, T high, T##n a) {                                           \
    return smoothstep((T##n)(low), (T##n)(high), a);                                      \
  }
#define SCALARS(T)                                                                        \
  T PURE smoothstep(T low, T high, T a) {                                                 \
    T t = clamp((a - low) / (high - low), (T)0, (T)1);                                    \
    return t * t * ((T)3 - (T)2 * t);                                                     \
  }                                                                                       \
  OF_HALVES_3(smoothstep, T)                                                              \
  WITH_SCALARS(T, 2) WITH_SCALARS(T, 3) WITH_SCALARS(T, 4) WITH_SCALARS(T, 8) WITH_SCALARS(T, 16) \
  T##3 PURE cross(T##3 a, T##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }               \
  T##4 PURE cross(T##4 a, T##4 b) { return (T##4)(cross(a.xyz, b.xyz), (T)0); }
FLOATS(SCALARS)

/* The bits of a number: U has as many, of which `M` are of the mantissa. */
#define SIGN(U) ((U)1 << (sizeof(U) * 8 - 1))
#define ONE(U, M) ((U)1 << M)
#define INFINITE(U, M) ((SIGN(U) >> M << M) - ONE(U, M))

/* x * 2^n, rounded once, to the nearest. */
#define LDEXP(T, U, M, bias)                                                              \
  T PURE ldexp(T x, int n) {                                                              \
    U sign = as_##U(x) & SIGN(U), a = as_##U(x) ^ sign;                                   \
    if (a == 0 || a >= INFINITE(U, M)) return x;                                          \
    int e = (int)(a >> M);                                                                \
    int missing = e == 0 ? (int)clz(a) - ((int)sizeof(U) * 8 - 1 - M) : 0;                \
    U m = e == 0 ? a << missing : ((a & (ONE(U, M) - 1)) | ONE(U, M));                    \
    e = (e == 0 ? 1 - missing : e) + clamp(n, -8 * bias, 8 * bias);                       \
    if (e > 2 * bias) return as_##T(sign | INFINITE(U, M));                               \
    if (e > 0) return as_##T(sign | ((U)e << M) | (m & (ONE(U, M) - 1)));                 \
    int shift = 1 - e;                                                                    \
    if (shift > M + 1) return as_##T(sign);                                               \
    U kept = m >> shift, rest = m & (((U)1 << shift) - 1), half_ = (U)1 << (shift - 1);   \
    if (rest > half_ || (rest == half_ && (kept & 1))) kept++;                            \
    return as_##T(sign | kept);                                                           \
  }                                                                                       \
  LDEXP_OF(T, 2) LDEXP_OF(T, 3) LDEXP_OF(T, 4) LDEXP_OF(T, 8) LDEXP_OF(T, 16)
#define LDEXP_OF(T, n)                                                                    \
  T##n PURE ldexp(T##n x, int##n by) {                                                    \
    T##n made;                                                                            \
    for (int i = 0; i < n; i++) ((T *)&made)[i] = ldexp(((T *)&x)[i], ((int *)&by)[i]);   \
    return made;                                                                          \
  }                                                                                       \
  T##n PURE ldexp(T##n x, int by) { return ldexp(x, (int##n)(by)); }
LDEXP(float, uint, 23, 127)
LDEXP(double, ulong, 52, 1023)

/* The remainder of a division, exactly: as many bits of the quotient at a time as fit beside the
 * mantissa in 64 bits. */
#define FMOD(T, U, M, bias)                                                               \
  T PURE fmod(T x, T y) {                                                                 \
    U sign = as_##U(x) & SIGN(U), a = as_##U(x) ^ sign, b = as_##U(y) & ~SIGN(U);         \
    if (a >= INFINITE(U, M) || b > INFINITE(U, M) || b == 0) return (T)NAN;               \
    if (a < b) return x;                                                                  \
    int ea = (int)(a >> M), eb = (int)(b >> M);                                           \
    ulong ma = ea == 0 ? a : ((a & (ONE(U, M) - 1)) | ONE(U, M));                         \
    ulong mb = eb == 0 ? b : ((b & (ONE(U, M) - 1)) | ONE(U, M));                         \
    ea = max(ea, 1), eb = max(eb, 1);                                                     \
    ma %= mb;                                                                             \
    for (int left = ea - eb; left > 0;) {                                                 \
      int bits = min(left, 63 - M);                                                       \
      ma = (ma << bits) % mb;                                                             \
      left -= bits;                                                                       \
    }                                                                                     \
    return copysign(ldexp((T)ma, eb - bias - M), x);                                      \
  }                                                                                       \
  OF_HALVES_2(fmod, T)
FMOD(float, uint, 23, 127)
FMOD(double, ulong, 52, 1023)

/* From the nearest multiple; of two as near, from the even one. */
#define REMAINDER(T, most)                                                                \
  T PURE remainder(T x, T y) {                                                            \
    if (x != x || y != y || isinf(x) || y == 0) return (T)NAN;                            \
    T b = fabs(y), a = fabs(b <= most / 2 ? fmod(x, b + b) : x);                          \
    if (a + a > b) {                                                                      \
      a -= b;                                                                             \
      if (a + a >= b) a -= b;                                                             \
    }                                                                                     \
    return signbit(x) ? -a : a;                                                           \
  }                                                                                       \
  OF_HALVES_2(remainder, T)
REMAINDER(float, FLT_MAX)
REMAINDER(double, DBL_MAX)

#define NEIGHBOUR(T, U)                                                                   \
  T PURE nextafter(T x, T y) {                                                            \
    if (x != x || y != y) return (T)NAN;                                                  \
    if (x == y) return y;                                                                 \
    if (x == 0) return copysign(as_##T((U)1), y);                                         \
    return as_##T(as_##U(x) + ((x < y) == (x > 0) ? (U)1 : (U)-1));                       \
  }                                                                                       \
  T PURE maxmag(T a, T b) {                                                               \
    return fabs(a) > fabs(b) ? a : fabs(b) > fabs(a) ? b : fmax(a, b);                    \
  }                                                                                       \
  T PURE minmag(T a, T b) {                                                               \
    return fabs(a) < fabs(b) ? a : fabs(b) < fabs(a) ? b : fmin(a, b);                    \
  }                                                                                       \
  OF_HALVES_2(nextafter, T) OF_HALVES_2(maxmag, T) OF_HALVES_2(minmag, T)
NEIGHBOUR(float, uint)
NEIGHBOUR(double, ulong)

/* Functions of two results, one of which is written to memory. */
#define PARTS_OF(f, T, P, n, SPACE)                                                       \
  T##n OVERLOADED f(T##n x, SPACE P##n *part) {                                           \
    T##n made;                                                                            \
    P##n parts;                                                                           \
    for (int i = 0; i < n; i++) {                                                         \
      P own;                                                                              \
      ((T *)&made)[i] = f(((T *)&x)[i], &own);                                            \
      ((P *)&parts)[i] = own;                                                             \
    }                                                                                     \
    *part = parts;                                                                        \
    return made;                                                                          \
  }
#define IN_SPACE(f, T, P, SPACE)                                                          \
  T OVERLOADED f(T x, SPACE P *part) {                                                    \
    P own;                                                                                \
    T made = f(x, &own);                                                                  \
    *part = own;                                                                          \
    return made;                                                                          \
  }
#define VECTORS(f, T, P, SPACE)                                                           \
  PARTS_OF(f, T, P, 2, SPACE) PARTS_OF(f, T, P, 3, SPACE) PARTS_OF(f, T, P, 4, SPACE)     \
  PARTS_OF(f, T, P, 8, SPACE) PARTS_OF(f, T, P, 16, SPACE)
#define EVERYWHERE(f, T, P)                                                               \
  IN_SPACE(f, T, P, __global) IN_SPACE(f, T, P, __local)                                  \
  VECTORS(f, T, P, __private) VECTORS(f, T, P, __global) VECTORS(f, T, P, __local)

#define SPLIT(T, U, M, bias, below_one)                                                   \
  T OVERLOADED modf(T x, __private T *whole) {                                            \
    *whole = trunc(x);                                                                    \
    return copysign(isinf(x) ? (T)0 : x - *whole, x);                                     \
  }                                                                                       \
  T OVERLOADED fract(T x, __private T *whole) {                                           \
    *whole = floor(x);                                                                    \
    if (x != x) return x;                                                                 \
    return isinf(x) ? copysign((T)0, x) : fmin(x - *whole, below_one);                    \
  }                                                                                       \
  T OVERLOADED frexp(T x, __private int *exponent) {                                      \
    U sign = as_##U(x) & SIGN(U), a = as_##U(x) ^ sign;                                   \
    *exponent = 0;                                                                        \
    if (a == 0 || a >= INFINITE(U, M)) return x;                                          \
    int e = (int)(a >> M);                                                                \
    int missing = e == 0 ? (int)clz(a) - ((int)sizeof(U) * 8 - 1 - M) : 0;                \
    *exponent = (e == 0 ? 1 - missing : e) - (bias - 1);                                  \
    U m = (e == 0 ? a << missing : a) & (ONE(U, M) - 1);                                  \
    return as_##T(sign | ((U)(bias - 1) << M) | m);                                       \
  }                                                                                       \
  EVERYWHERE(modf, T, T) EVERYWHERE(fract, T, T) EVERYWHERE(frexp, T, int)
SPLIT(float, uint, 23, 127, 0x1.fffffep-1f)
SPLIT(double, ulong, 52, 1023, 0x1.fffffffffffffp-1)
