/* What `launches` launches: target = factor * source + target, for n numbers. */
__kernel void axpy(__global const float *source, __global float *target, float factor, uint n) {
  uint i = get_global_id(0);
  if (i < n) target[i] = factor * source[i] + target[i];
}
