/* Gives each column of a table (rows x columns) the mean 0 and the standard deviation 1, in place.
 * An item does a column, in double. A column whose numbers are all equal becomes 0. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void standardizeColumns(global float *restrict table, const uint rows, const uint columns) {
  const size_t column = get_global_id(0);
  if (column >= columns) return;
  double sum = 0;
  for (uint row = 0; row < rows; ++row) sum += table[(size_t)row * columns + column];
  const double mean = sum / rows;
  double squares = 0;
  for (uint row = 0; row < rows; ++row) {
    const double away = table[(size_t)row * columns + column] - mean;
    squares += away * away;
  }
  const double deviation = squares == 0 ? 1 : sqrt(squares / rows);
  for (uint row = 0; row < rows; ++row) {
    global float *const at = table + (size_t)row * columns + column;
    *at = (float)((*at - mean) / deviation);
  }
}
