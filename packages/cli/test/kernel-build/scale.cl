/* Two kernels with everything that a kernel can take. */
#include "number.h"

kernel void scale(global const number *restrict source, global uchar *target, local int *scratch,
                  const uint count, const number factor, const long offset) {
  local number tile[64];
  const size_t i = get_global_id(0);
  tile[get_local_id(0)] = i < count ? source[i] : 0;
  scratch[get_local_id(0)] = (int)offset;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < count) target[i] = convert_uchar_sat(tile[get_local_id(0) ^ 1] * factor + scratch[0]);
}

kernel void clear(global half *h, global double *d, global ushort *s, global ulong *l) {
  if (get_global_id(1) > 0) return;
  vstore_half(0.0f, get_global_id(0), h);
  d[0] = fma(d[1], d[2], d[3]);
  s[0] = 0;
  l[0] = rotate(l[1], l[2]);
}
