#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define FR(T)                                                                                     \
  kernel void fr_##T(global T *t, global T *vv) {                                                 \
    global T##4 *v = (global T##4 *)vv;                                                           \
    size_t i = get_global_id(0) + get_global_id(1) + get_global_id(2) + get_local_id(0) +         \
               get_local_size(1) + get_group_id(2) + get_num_groups(0) + get_global_size(0) +     \
               get_global_offset(0);                                                              \
    T a = t[i], b = t[i + 1], c = t[i + 2];                                                       \
    T##4 x = v[i], y = v[i + 1], z = v[i + 2];                                                    \
    t[i] = fabs(a) + sqrt(b) + floor(c) + ceil(a) + trunc(b) + rint(a) + round(b) + fmin(a, b) +  \
           fmax(b, c) + copysign(a, b) + fma(a, b, c) + mad(a, b, c) + rsqrt(a) + degrees(a) +    \
           radians(b) + sign(c) + mix(a, b, c) + step(a, b) + fdim(a, b) + dot(x, y) + isnan(a) + \
           isinf(b) + isfinite(c) + signbit(a) + min(a, b) + max(a, b) + clamp(a, b, c);          \
    v[i] = fabs(x) + sqrt(y) + floor(x) + ceil(x) + trunc(x) + rint(x) + round(y) + fmin(x, y) +  \
           fmax(x, a) + copysign(x, y) + fma(x, y, z) + mad(x, y, z) + rsqrt(x) + mix(x, y, z) +  \
           min(x, y) + max(x, a) + clamp(x, y, z) + clamp(x, a, b) + vload4(1, t);                \
    vstore4(x, 3, t);                                                                             \
  }
FR(float)
FR(double)
#define IN(T, U)                                                                               \
  kernel void in_##T(global T *t, global U *u, global T *vv, global float *f) {                \
    global T##4 *v = (global T##4 *)vv;                                                        \
    size_t i = get_global_id(0);                                                               \
    T a = t[0], b = t[1], c = t[2];                                                            \
    T##4 x = v[0], y = v[1], z = v[2];                                                         \
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);                                       \
    mem_fence(CLK_GLOBAL_MEM_FENCE);                                                           \
    u[0] = abs(a) + abs_diff(a, b);                                                            \
    t[3] = min(a, b) + max(a, b) + clamp(a, b, c) + mul_hi(a, b) + popcount(a) + clz(b) +      \
           rotate(a, b) + select(a, b, c) + convert_##T(f[0]) + convert_##T##_sat(f[1]) +      \
           convert_##T##_sat_rte(f[2]) + convert_##T##_sat(t[9]) + convert_##T##_sat(u[9]);    \
    v[4] = min(x, y) + max(x, a) + clamp(x, a, b) + popcount(x) + rotate(x, y) + vload4(2, t); \
    f[0] = convert_float(a);                                                                   \
  }
    IN(char, uchar) IN(uchar, uchar) IN(short, ushort) IN(ushort, ushort) IN(int, uint)
        IN(uint, uint) IN(long, ulong) IN(ulong, ulong)
#define AT(T)                                                                                 \
  kernel void at_##T(global T *t) {                                                           \
    local T s[4];                                                                             \
    s[get_local_id(0)] = 1;                                                                   \
    atomic_add(&s[0], 2);                                                                     \
    t[0] = atomic_add(t, 1) + atomic_sub(t, 1) + atomic_inc(t) + atomic_dec(t) +              \
           atomic_min(t, 3) + atomic_max(t, 4) + atomic_and(t, 1) + atomic_or(t, 1) +         \
           atomic_xor(t, 3) + atomic_xchg(t, 3) + atomic_cmpxchg(t, 1, 2) + s[0] +            \
           add_sat(t[1], t[2]) + sub_sat(t[1], t[2]) + hadd(t[1], t[2]) + rhadd(t[1], t[2]) + \
           mul24(t[1], t[2]) + mad24(t[1], t[2], t[3]);                                       \
  }
            AT(int) AT(uint) kernel void nat(global float *f, global half *h) {
  f[0] = native_sin(f[1]) + native_cos(f[1]) + native_tan(f[1]) + native_exp(f[1]) +
         native_exp2(f[1]) + native_exp10(f[1]) + native_log(f[1]) + native_log2(f[1]) +
         native_log10(f[1]) + native_sqrt(f[1]) + native_rsqrt(f[1]) + native_recip(f[1]) +
         native_divide(f[1], f[2]) + native_powr(f[1], f[2]) + half_sin(f[3]);
  vstore_half(vload_half(0, h) + atomic_xchg(f, 2.f), 2, h);
  prefetch(f, 3);
}
