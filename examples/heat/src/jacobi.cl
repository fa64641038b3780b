/* A step of Jacobi's method for the heat equation: each element becomes the mean of its four
 * neighbours. The outermost rows and columns of the tile stay as they are. An item makes one
 * element. The order of the sums is that of the host's code and of NumPy's, so all agree in every bit. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void jacobi(global const double *restrict now, global double *restrict next,
                   const uint rows, const uint columns) {
  const size_t at = get_global_id(0);
  const size_t row = at / columns;
  const size_t column = at % columns;
  if (row == 0 || row + 1 >= rows || column == 0 || column + 1 >= columns) return;
  const double vertical = now[at - columns] + now[at + columns];
  const double horizontal = now[at - 1] + now[at + 1];
  next[at] = 0.25 * (vertical + horizontal);
}
