/* One axis of a Gaussian blur, as SciPy's gaussian_filter does it in its mode "reflect": sums in
 * double, symmetric weights, from the farthest neighbours to the nearest; beyond an edge the image
 * goes on as in a mirror at it. An item makes one element.
 *
 * source, target  images, rows of `width` elements, in which channels are neighbours
 * weights         of an element itself and of its neighbours 1 .. radius away, on either side
 * firstRow        of the items: a range with many rows is launched in pieces */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* The index in 0 .. length - 1 that is seen at `at`. */
static inline int reflected(int at, int length) {
  while (at < 0 || at >= length) at = at < 0 ? -1 - at : 2 * length - 1 - at;
  return at;
}

/* Each element among those above and below it. */
kernel void blurColumns(global const float *restrict source, global float *restrict target,
                        global const double *restrict weights, const int radius, const uint height,
                        const uint width, const uint firstRow) {
  const size_t column = get_global_id(0);
  const int row = (int)(firstRow + get_global_id(1));
  if (column >= width || row >= (int)height) return;
  global const float *const at = source + column;
  double sum = at[(size_t)row * width] * weights[0];
  if (row >= radius && row + radius < (int)height) {
    for (int away = radius; away > 0; --away) {
      const double above = at[(size_t)(row - away) * width];
      const double below = at[(size_t)(row + away) * width];
      sum += (above + below) * weights[away];
    }
  } else {
    for (int away = radius; away > 0; --away) {
      const double above = at[(size_t)reflected(row - away, (int)height) * width];
      const double below = at[(size_t)reflected(row + away, (int)height) * width];
      sum += (above + below) * weights[away];
    }
  }
  target[(size_t)row * width + column] = (float)sum;
}

/* Each element among those of its channel to its left and right. */
kernel void blurRows(global const float *restrict source, global float *restrict target,
                     global const double *restrict weights, const int radius, const uint height,
                     const uint width, const uint firstRow, const uint channels) {
  const size_t column = get_global_id(0);
  const size_t row = firstRow + get_global_id(1);
  if (column >= width || row >= height) return;
  global const float *const line = source + row * width;
  /* Whole groups take the same way, so that it is not chosen for each element. */
  const size_t first = get_group_id(0) * get_local_size(0);
  const size_t reach = (size_t)radius * channels;
  double sum = line[column] * weights[0];
  if (first >= reach && first + get_local_size(0) + reach <= width) {
    for (int away = radius; away > 0; --away) {
      const size_t step = (size_t)away * channels;
      const double left = line[column - step];
      const double right = line[column + step];
      sum += (left + right) * weights[away];
    }
  } else {
    const int pixels = (int)(width / channels);
    const int pixel = (int)((uint)column / channels);
    const uint channel = (uint)column % channels;
    for (int away = radius; away > 0; --away) {
      const double left = line[(uint)reflected(pixel - away, pixels) * channels + channel];
      const double right = line[(uint)reflected(pixel + away, pixels) * channels + channel];
      sum += (left + right) * weights[away];
    }
  }
  target[row * width + column] = (float)sum;
}
