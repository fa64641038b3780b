/* What a kernel source needs to be OpenCL C 1.2 (for SPIR-V), OpenCL C for NVPTX and C++17 alike.
 *
 * KERNEL, INLINE  mark an entry point, and a function that becomes part of each of its callers
 * GLOBAL          marks a pointer into device memory
 * i32 i64 u8 u16 u32 u64  integers of these widths
 * bytes_N         a unit of N bytes
 * MOVE(T, d, s)   one T from address s to address d
 * LOAD(T, s), STORE(T, d, v)  one T at address s; v as a T to address d
 * THREADS         threads of a block, where a kernel has blocks: they run the body of
 *                 FOR_EACH_THREAD(name) side by side, wait for one another at BARRIER() and share
 *                 SHARED_BYTES(name, size). BLOCK() is the index of this block; in C++ it is
 *                 block_of_grid, which the including file defines
 * LOCAL, LOCAL_LOAD, LOCAL_STORE  GLOBAL, LOAD and STORE for shared bytes
 * STORE_ALONE, LOCAL_STORE_ALONE  the same, but no compiler makes a vector of several: what CPUs
 *                 have to scatter one is slower
 * NOT_INLINE      marks a function that is not inlined
 * ITEM_BY_ITEM    before KERNEL: compilers for CPUs make no vectors of items. Vectors take longer
 *                 to compile and to run where items are large or take different branches
 * ONE_ITEM_GROUPS  before KERNEL: a group is one item, whose SHARED_BYTES are its own
 * COPY_IN, COPY_OUT (to, from, size)  copy bytes into shared memory, and out of it
 * FETCH_LINE(s)   asks memory for the cache line of an address
 * STREAM_LINE(d, s)  writes a line of 64 bytes past the caches; others see it after FINISH_STREAM()
 * UNROLL, KEEP_LOOP  before a loop: unroll all of it, or none
 * ITEM(axis)      this work item's index along an axis of the grid; in C++ it is an entry of
 *                 item_of_grid, which the including file defines
 * FIRST_ITEM, ITEM_COUNT  this work item's index, and how many items there are (u64)
 *
 * On devices MOVE, LOAD and STORE need addresses that are multiples of sizeof(T). In C++ they take
 * any address. */
#ifndef ARRAY_INTERFACE_KERNELS_PORTABLE_H
#define ARRAY_INTERFACE_KERNELS_PORTABLE_H

#define THREADS 256u

#if defined(__cplusplus)

#include <cstdint>
#include <cstring>

#define KERNEL static
#define INLINE static inline __attribute__((always_inline))
#define GLOBAL
using i32 = std::int32_t;
using i64 = std::int64_t;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
template <unsigned size>
struct unit_bytes {
  unsigned char bytes[size];
};
using bytes_1 = unit_bytes<1>;
using bytes_2 = unit_bytes<2>;
using bytes_4 = unit_bytes<4>;
using bytes_8 = unit_bytes<8>;
using bytes_16 = unit_bytes<16>;
#define MOVE(T, d, s)                       \
  do {                                      \
    T unit_value;                           \
    std::memcpy(&unit_value, s, sizeof(T)); \
    std::memcpy(d, &unit_value, sizeof(T)); \
  } while (0)
template <typename T>
static inline T load(const void *from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
#define LOAD(T, s) load<T>(s)
#define STORE(T, d, v)                      \
  do {                                      \
    const T stored = static_cast<T>(v);     \
    std::memcpy(d, &stored, sizeof stored); \
  } while (0)
static inline u32 bits_of_float(float value) {
  u32 bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
static inline float float_of_bits(u32 bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
static inline u64 bits_of_double(double value) {
  u64 bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
static inline double double_of_bits(u64 bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
#define BITS_OF_DOUBLE(x) bits_of_double(x)
#define DOUBLE_OF_BITS(u) double_of_bits(u)
#define BITS_OF_FLOAT(x) bits_of_float(x)
#define FLOAT_OF_BITS(u) float_of_bits(u)
#define ITEM(axis) item_of_grid[axis]
#define LOCAL
#define LOCAL_LOAD(T, s) LOAD(T, s)
#define LOCAL_STORE(T, d, v) STORE(T, d, v)
#define STORE_ALONE(T, d, v) STORE(T, d, v)
#define LOCAL_STORE_ALONE(T, d, v) STORE(T, d, v)
#define SHARED_BYTES(name, size) alignas(16) unsigned char name[size]
#define NOT_INLINE static
#define ITEM_BY_ITEM
#define ONE_ITEM_GROUPS
#define FETCH_LINE(from) static_cast<void>(from)
#define COPY_IN(to, from, size) std::memcpy(to, from, size)
#define COPY_OUT(to, from, size) std::memcpy(to, from, size)
#define STREAM_LINE(to, from) std::memcpy(to, from, 64)
#define FINISH_STREAM() static_cast<void>(0)
#define FOR_EACH_THREAD(thread) for (u32 thread = 0; thread < THREADS; ++thread)
#define BARRIER() static_cast<void>(0)
#define BLOCK() block_of_grid
#define UNROLL
#define KEEP_LOOP
#define FIRST_ITEM() (static_cast<u64>(0))
#define ITEM_COUNT() (static_cast<u64>(1))

#else

#define KERNEL kernel
#define INLINE static inline __attribute__((always_inline))
#define GLOBAL global
typedef int i32;
typedef long i64;
typedef uchar u8;
typedef ushort u16;
typedef uint u32;
typedef ulong u64;
typedef uchar bytes_1;
typedef ushort bytes_2;
typedef uint bytes_4;
typedef ulong bytes_8;
typedef uint4 bytes_16;
#define MOVE(T, d, s) (*(global T *)(d) = *(global const T *)(s))
#define LOAD(T, s) (*(global const T *)(s))
#define STORE(T, d, v) (*(global T *)(d) = (T)(v))
#define ITEM(axis) get_global_id(axis)
#define LOCAL local
#define LOCAL_LOAD(T, s) (*(local const T *)(s))
#define LOCAL_STORE(T, d, v) (*(local T *)(d) = (T)(v))
#define STORE_ALONE(T, d, v) (*(global volatile T *)(d) = (T)(v))
#define LOCAL_STORE_ALONE(T, d, v) (*(local volatile T *)(d) = (T)(v))
#define UNROLL _Pragma("unroll")
#define KEEP_LOOP _Pragma("clang loop unroll(disable)")
#define NOT_INLINE static __attribute__((noinline))
#define ITEM_BY_ITEM __attribute__((vec_type_hint(float4)))
#define ONE_ITEM_GROUPS __attribute__((reqd_work_group_size(1, 1, 1)))
#define SHARED_BYTES(name, size)             \
  local bytes_16 shared_##name[(size) / 16]; \
  local unsigned char *const name = (local unsigned char *)shared_##name
#define BITS_OF_FLOAT(x) as_uint(x)
#define FLOAT_OF_BITS(u) as_float(u)
#define BITS_OF_DOUBLE(x) as_ulong(x)
#define DOUBLE_OF_BITS(u) as_double(u)

#define FETCH_LINE(from) prefetch(from, 1)
/* Bytes from one space to another; the last 16 may be moved twice. */
#define COPY_BYTES(name, To, From)                                                \
  INLINE void name(To uchar *to, From const uchar *from, u32 size) {              \
    if (size >= 16u) {                                                            \
      for (u32 done = 0; done + 16u <= size; done += 16u) {                       \
        vstore16(vload16(0, from + done), 0, to + done);                          \
      }                                                                           \
      vstore16(vload16(0, from + size - 16u), 0, to + size - 16u);                \
      return;                                                                     \
    }                                                                             \
    if (size & 8u) vstore8(vload8(0, from), 0, to);                               \
    if (size & 4u) vstore4(vload4(0, from + (size & 8u)), 0, to + (size & 8u));   \
    if (size & 2u) vstore2(vload2(0, from + (size & 12u)), 0, to + (size & 12u)); \
    if (size & 1u) to[size - 1u] = from[size - 1u];                               \
  }
#define STREAM_PART(to, from, part)                                                  \
  __builtin_nontemporal_store(as_ulong2(vload16(part, (local const uchar *)(from))), \
                              (global ulong2 *)(to) + (part))
#define STREAM_LINE(to, from) \
  do {                        \
    STREAM_PART(to, from, 0); \
    STREAM_PART(to, from, 1); \
    STREAM_PART(to, from, 2); \
    STREAM_PART(to, from, 3); \
  } while (0)
#define FINISH_STREAM() mem_fence(CLK_GLOBAL_MEM_FENCE)
#define COPY_IN copy_in
#define COPY_OUT copy_out
COPY_BYTES(copy_in, local, global)
COPY_BYTES(copy_out, global, local)

#if defined(__NVPTX__)
#define FIRST_ITEM()                                                     \
  ((u64)__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + \
   __nvvm_read_ptx_sreg_tid_x())
#define ITEM_COUNT() ((u64)__nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_ntid_x())
#define FOR_EACH_THREAD(thread) \
  for (u32 thread = (u32)__nvvm_read_ptx_sreg_tid_x(), done = 0; !done; done = 1)
#define BARRIER() __syncthreads()
#define BLOCK() ((u64)__nvvm_read_ptx_sreg_ctaid_x())
#else
#define FIRST_ITEM() ((u64)get_global_id(0))
#define ITEM_COUNT() ((u64)get_global_size(0))
#endif

#endif
#endif
