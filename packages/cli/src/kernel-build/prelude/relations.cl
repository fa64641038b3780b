/* Comparisons, and choices by them. Scalars give 0 or 1, vectors 0 or -1 for each element. */

#define RELATION_OF(f, T, S, n, body) \
  S##n PURE f(T##n a, T##n b) { return body; }
#define RELATION(f, T, S, body)                                                          \
  int PURE f(T a, T b) { return body; }                                                  \
  RELATION_OF(f, T, S, 2, body)                                                          \
  RELATION_OF(f, T, S, 3, body)                                                          \
  RELATION_OF(f, T, S, 4, body) RELATION_OF(f, T, S, 8, body) RELATION_OF(f, T, S, 16, body)
#define RELATIONS(T, S)                                                                  \
  RELATION(isequal, T, S, a == b)                                                        \
  RELATION(isnotequal, T, S, a != b)                                                     \
  RELATION(isgreater, T, S, a > b)                                                       \
  RELATION(isgreaterequal, T, S, a >= b)                                                 \
  RELATION(isless, T, S, a < b)                                                          \
  RELATION(islessequal, T, S, a <= b)                                                    \
  RELATION(islessgreater, T, S, (a < b) | (a > b))                                       \
  RELATION(isordered, T, S, (a == a) & (b == b))                                         \
  RELATION(isunordered, T, S, (a != a) | (b != b))
RELATIONS(float, int)
RELATIONS(double, long)

#define TESTS_OF(T, S, n, least)                                                         \
  S##n PURE isnan(T##n a) { return a != a; }                                             \
  S##n PURE isinf(T##n a) { return fabs(a) == (T)INFINITY; }                             \
  S##n PURE isfinite(T##n a) { return fabs(a) < (T)INFINITY; }                           \
  S##n PURE isnormal(T##n a) { return (fabs(a) >= (T)least) & (fabs(a) < (T)INFINITY); } \
  S##n PURE signbit(T##n a) { return as_##S##n(a) < (S)0; }
#define TESTS_OF_VECTORS(T, S, least)                                                    \
  int PURE isnormal(T a) { return fabs(a) >= (T)least && fabs(a) < (T)INFINITY; }        \
  TESTS_OF(T, S, 2, least)                                                               \
  TESTS_OF(T, S, 3, least)                                                               \
  TESTS_OF(T, S, 4, least) TESTS_OF(T, S, 8, least) TESTS_OF(T, S, 16, least)
TESTS_OF_VECTORS(float, int, FLT_MIN)
TESTS_OF_VECTORS(double, long, DBL_MIN)

/* Of the highest bits. */
#define OF_BITS(T)                                                                       \
  int PURE any(T a) { return a < 0; }                                                    \
  int PURE any(T##2 a) { return a.x < 0 || a.y < 0; }                                    \
  int PURE any(T##3 a) { return a.x < 0 || a.y < 0 || a.z < 0; }                         \
  int PURE any(T##4 a) { return any(a.lo) || any(a.hi); }                                \
  int PURE any(T##8 a) { return any(a.lo) || any(a.hi); }                                \
  int PURE any(T##16 a) { return any(a.lo) || any(a.hi); }                               \
  int PURE all(T a) { return a < 0; }                                                    \
  int PURE all(T##2 a) { return a.x < 0 && a.y < 0; }                                    \
  int PURE all(T##3 a) { return a.x < 0 && a.y < 0 && a.z < 0; }                         \
  int PURE all(T##4 a) { return all(a.lo) && all(a.hi); }                                \
  int PURE all(T##8 a) { return all(a.lo) && all(a.hi); }                                \
  int PURE all(T##16 a) { return all(a.lo) && all(a.hi); }
SIGNED(OF_BITS)

#define BITSELECT_OF(T, U, n)                                                            \
  T##n PURE bitselect(T##n a, T##n b, T##n c) {                                          \
    return as_##T##n((as_##U##n(a) & ~as_##U##n(c)) | (as_##U##n(b) & as_##U##n(c)));    \
  }
#define SELECT_OF(T, S, U, n)                                                            \
  T##n PURE select(T##n a, T##n b, S##n c) { return c < (S)0 ? b : a; }                  \
  T##n PURE select(T##n a, T##n b, U##n c) { return as_##S##n(c) < (S)0 ? b : a; }       \
  BITSELECT_OF(T, U, n)
#define CHOICES(T, S, U)                                                                 \
  T PURE bitselect(T a, T b, T c) {                                                      \
    return as_##T((U)((as_##U(a) & (U)~as_##U(c)) | (as_##U(b) & as_##U(c))));           \
  }                                                                                      \
  SELECT_OF(T, S, U, 2)                                                                  \
  SELECT_OF(T, S, U, 3) SELECT_OF(T, S, U, 4) SELECT_OF(T, S, U, 8) SELECT_OF(T, S, U, 16)
CHOICES(char, char, uchar)
CHOICES(uchar, char, uchar)
CHOICES(short, short, ushort)
CHOICES(ushort, short, ushort)
CHOICES(int, int, uint)
CHOICES(uint, int, uint)
CHOICES(long, long, ulong)
CHOICES(ulong, long, ulong)
CHOICES(float, int, uint)
CHOICES(double, long, ulong)
