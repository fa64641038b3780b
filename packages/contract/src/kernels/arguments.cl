/* Arguments of every kind; `arguments.kernel.ts` is made of this by `array-interface kernel build`. */

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

struct Step {
  short first;
  int second;
};

/* With padding, a vector, an array of arrays, and a struct. */
struct Shift {
  uchar id;
  float4 by;
  long scale;
  short parts[2][3];
  struct Step step;
};

/* target = (source + shift.by) * factor, of `size` numbers, and negative if `negates`. The first
 * item writes what else it got. */
__kernel __attribute__((reqd_work_group_size(16, 1, 1))) void shift(
    __global const float4 *source, uint size, __global float4 *target, struct Shift shift,
    half factor, uchar negates, __global long *seen) {
  const uint i = get_global_id(0);
  if (4 * i >= size) return;
  const float4 moved = (source[i] + shift.by) * (float)factor;
  target[i] = negates ? -moved : moved;
  if (i > 0) return;
  seen[0] = shift.id;
  seen[1] = shift.scale;
  for (int row = 0; row < 2; row++) {
    for (int column = 0; column < 3; column++) seen[2 + 3 * row + column] = shift.parts[row][column];
  }
  seen[8] = shift.step.first;
  seen[9] = shift.step.second;
  seen[10] = negates;
  seen[11] = size;
}

/* Each eight numbers the other way round, by way of local memory. */
__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void turn(__global const float *source,
                                                                  __global float *target,
                                                                  __local float *room) {
  const uint at = get_local_id(0);
  room[at] = source[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  target[get_global_id(0)] = room[7 - at];
}
