/* Elements of vectors in another order, and vectors of half in memory. */

#define SHUFFLE_FROM(T, U, n, m)                                                         \
  T##n PURE shuffle(T##m a, U##n mask) {                                                 \
    T##n made;                                                                           \
    for (int i = 0; i < n; i++) ((T *)&made)[i] = ((T *)&a)[((U *)&mask)[i] & (m - 1)];  \
    return made;                                                                         \
  }                                                                                      \
  T##n PURE shuffle2(T##m a, T##m b, U##n mask) {                                        \
    T##n made;                                                                           \
    for (int i = 0; i < n; i++) {                                                        \
      U at = ((U *)&mask)[i] & (2 * m - 1);                                              \
      ((T *)&made)[i] = at < m ? ((T *)&a)[at] : ((T *)&b)[at - m];                      \
    }                                                                                    \
    return made;                                                                         \
  }
#define SHUFFLE_TO(T, U, n)                                                              \
  SHUFFLE_FROM(T, U, n, 2)                                                               \
  SHUFFLE_FROM(T, U, n, 4) SHUFFLE_FROM(T, U, n, 8) SHUFFLE_FROM(T, U, n, 16)
#define SHUFFLE(T, U) \
  SHUFFLE_TO(T, U, 2) SHUFFLE_TO(T, U, 4) SHUFFLE_TO(T, U, 8) SHUFFLE_TO(T, U, 16)
SHUFFLE(char, uchar)
SHUFFLE(uchar, uchar)
SHUFFLE(short, ushort)
SHUFFLE(ushort, ushort)
SHUFFLE(int, uint)
SHUFFLE(uint, uint)
SHUFFLE(long, ulong)
SHUFFLE(ulong, ulong)
SHUFFLE(float, uint)
SHUFFLE(double, ulong)

/* `room` is how many elements a vector takes in memory. */
#define LOAD_HALVES(SPACE, name, n, room)                                                \
  float##n OVERLOADED name(size_t at, const SPACE half *from) {                          \
    float##n made;                                                                       \
    for (int i = 0; i < n; i++) ((float *)&made)[i] = vload_half(at * room + i, from);   \
    return made;                                                                         \
  }
#define STORE_HALVES(SPACE, T, name, n, room)                                            \
  void OVERLOADED name(T##n value, size_t at, SPACE half *to) {                          \
    for (int i = 0; i < n; i++) vstore_half(((T *)&value)[i], at * room + i, to);        \
  }                                                                                      \
  void OVERLOADED name##_rte(T##n value, size_t at, SPACE half *to) { name(value, at, to); }
#define STORES_HALVES(SPACE, T)                                                          \
  STORE_HALVES(SPACE, T, vstore_half2, 2, 2)                                             \
  STORE_HALVES(SPACE, T, vstore_half3, 3, 3)                                             \
  STORE_HALVES(SPACE, T, vstore_half4, 4, 4)                                             \
  STORE_HALVES(SPACE, T, vstore_half8, 8, 8)                                             \
  STORE_HALVES(SPACE, T, vstore_half16, 16, 16)                                          \
  STORE_HALVES(SPACE, T, vstorea_half2, 2, 2)                                            \
  STORE_HALVES(SPACE, T, vstorea_half3, 3, 4)                                            \
  STORE_HALVES(SPACE, T, vstorea_half4, 4, 4)                                            \
  STORE_HALVES(SPACE, T, vstorea_half8, 8, 8)                                            \
  STORE_HALVES(SPACE, T, vstorea_half16, 16, 16)
#define LOADS_HALVES(SPACE)                                                              \
  LOAD_HALVES(SPACE, vload_half2, 2, 2)                                                  \
  LOAD_HALVES(SPACE, vload_half3, 3, 3)                                                  \
  LOAD_HALVES(SPACE, vload_half4, 4, 4)                                                  \
  LOAD_HALVES(SPACE, vload_half8, 8, 8)                                                  \
  LOAD_HALVES(SPACE, vload_half16, 16, 16)                                               \
  LOAD_HALVES(SPACE, vloada_half2, 2, 2)                                                 \
  LOAD_HALVES(SPACE, vloada_half3, 3, 4)                                                 \
  LOAD_HALVES(SPACE, vloada_half4, 4, 4)                                                 \
  LOAD_HALVES(SPACE, vloada_half8, 8, 8)                                                 \
  LOAD_HALVES(SPACE, vloada_half16, 16, 16)
#define STORE_HALF_OF_DOUBLE(SPACE)                                                      \
  void OVERLOADED vstore_half(double value, size_t at, SPACE half *to) {                 \
    __builtin_store_half(value, to + at);                                                \
  }                                                                                      \
  void OVERLOADED vstore_half_rte(double value, size_t at, SPACE half *to) {             \
    __builtin_store_half(value, to + at);                                                \
  }
LOADS_HALVES(__global)
LOADS_HALVES(__local)
LOADS_HALVES(__private)
LOADS_HALVES(__constant)
STORE_HALF_OF_DOUBLE(__global)
STORE_HALF_OF_DOUBLE(__local)
STORE_HALF_OF_DOUBLE(__private)
STORES_HALVES(__global, float)
STORES_HALVES(__local, float)
STORES_HALVES(__private, float)
STORES_HALVES(__global, double)
STORES_HALVES(__local, double)
STORES_HALVES(__private, double)
