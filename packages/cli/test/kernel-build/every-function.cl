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
#define MORE_FR(T, S)                                                                             \
  kernel void more_##T(global T *t, global T##4 *v, global S##4 *s, global half *h, local T *l) { \
    T a = t[0], b = t[1];                                                                         \
    T##4 x = v[0], y = v[1], z = v[2];                                                            \
    int e;                                                                                        \
    int4 f;                                                                                       \
    t[0] = fmod(a, b) + remainder(a, b) + ldexp(a, 3) + nextafter(a, b) + maxmag(a, b) +          \
           minmag(a, b) + modf(a, t + 2) + fract(a, l) + frexp(a, &e) + smoothstep(a, b, a);      \
    v[0] = fmod(x, y) + remainder(x, y) + ldexp(x, f) + nextafter(x, y) + maxmag(x, y) +          \
           modf(x, v + 2) + fract(x, v + 3) + frexp(x, &f) + mix(x, y, a) + step(a, x) +          \
           smoothstep(a, b, x) + bitselect(x, y, z) + select(x, y, s[0]) + cross(x, y) +          \
           shuffle(x, as_SHUFFLE_##T(s[1])) + shuffle2(x, y, as_SHUFFLE_##T(s[2]));               \
    s[0] = isequal(x, y) + isless(x, y) + isnan(x) + isnormal(x) + signbit(x) + isordered(x, y);  \
    t[3] = any(s[0]) + all(s[1]) + isgreater(a, b) + isunordered(a, b) + islessgreater(a, b);     \
    vstore_half4(convert_float4_rtz(x), 1, h);                                                    \
    vstorea_half3(convert_float3_rtp(x.xyz), 2, h);                                               \
    s[3] = convert_##S##4_sat_rtp(x) + convert_##S##4_sat(vload_half4(0, h));                     \
  }
#define as_SHUFFLE_float(x) as_uint4(x)
#define as_SHUFFLE_double(x) as_ulong4(x)
MORE_FR(float, int)
MORE_FR(double, long)
#define MORE_IN(T)                                                                                \
  kernel void more_##T(global T *t, global T##8 *v) {                                             \
    t[0] = mad_hi(t[1], t[2], t[3]) + mad_sat(t[1], t[2], t[3]) + add_sat(t[1], t[2]) +           \
           sub_sat(t[1], t[2]) + hadd(t[1], t[2]) + rhadd(t[1], t[2]);                            \
    v[0] = mad_hi(v[1], v[2], v[3]) + mad_sat(v[1], v[2], v[3]) + add_sat(v[1], v[2]) +           \
           bitselect(v[1], v[2], v[3]);                                                           \
  }
MORE_IN(char)
MORE_IN(uchar) MORE_IN(short) MORE_IN(ushort) MORE_IN(int) MORE_IN(uint) MORE_IN(long) MORE_IN(ulong)
