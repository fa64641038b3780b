/* What the contract launches; `contract.kernel.ts` is made of this by `array-interface kernel build`. */

/* target = factor * source + target, for n numbers. */
__kernel void axpy(__global const float *source, __global float *target, float factor, uint n) {
  uint i = get_global_id(0);
  if (i < n) target[i] = factor * source[i] + target[i];
}

/* target = source, in any layout of two axes. */
__kernel void move(__global const short *source, long sourceRow, long sourceColumn,
                   __global short *target, long targetRow, long targetColumn, uint rows,
                   uint columns) {
  uint column = get_global_id(0);
  uint row = get_global_id(1);
  if (row >= rows || column >= columns) return;
  target[row * targetRow + column * targetColumn] =
      source[row * sourceRow + column * sourceColumn];
}

/* Every item of a range of three axes adds one at its place. */
__kernel void count(__global int *target, uint planes, uint rows, uint columns) {
  uint column = get_global_id(0);
  uint row = get_global_id(1);
  uint plane = get_global_id(2);
  if (plane >= planes || row >= rows || column >= columns) return;
  target[(plane * rows + row) * columns + column] += 1;
}

/* Numbers of all types as 64-bit integers and doubles. */
__kernel void numbers(__global long *integers, __global float *floats, char a, uchar b, short c,
                      ushort d, int e, uint f, long g, ulong h, float i) {
  if (get_global_id(0) != 0) return;
  integers[0] = a;
  integers[1] = b;
  integers[2] = c;
  integers[3] = d;
  integers[4] = e;
  integers[5] = f;
  integers[6] = g;
  integers[7] = (long)h;
  floats[0] = i;
}
