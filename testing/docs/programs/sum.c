/* Runs the functions of docs/ffi.md: arrays with any strides, and one that is given back. */
#include EXAMPLE

#include <assert.h>
#include <stdio.h>

static double sum_of(float *data, int ndim, int64_t *shape, int64_t *strides) {
  const DLTensor tensor = {.data = data,
                           .device = {kDLCPU, 0},
                           .ndim = ndim,
                           .dtype = {kDLFloat, 32, 1},
                           .shape = shape,
                           .strides = strides};
  return sum(&tensor);
}

int main(void) {
  /* On the heap, where a read beyond the elements is seen. */
  float *six = malloc(6 * sizeof *six);
  for (int i = 0; i < 6; i++) six[i] = (float)(1 << i);
  assert(sum_of(six, 0, NULL, NULL) == 1);
  assert(sum_of(six, 2, (int64_t[]){2, 3}, (int64_t[]){3, 1}) == 63);
  assert(sum_of(six + 5, 1, (int64_t[]){3}, (int64_t[]){-2}) == 32 + 8 + 2);
  assert(sum_of(six, 2, (int64_t[]){4, 1}, (int64_t[]){0, 1}) == 4);
  assert(sum_of(six, 1, (int64_t[]){0}, (int64_t[]){1}) == 0);
  free(six);

  DLTensor doubles = {.device = {kDLCPU, 0}, .dtype = {kDLFloat, 64, 1}};
  DLTensor elsewhere = {.device = {kDLCUDA, 0}, .dtype = {kDLFloat, 32, 1}};
  assert(isnan(sum(&doubles)) && isnan(sum(&elsewhere)));

  for (int64_t length = 0; length < 5; length++) {
    DLManagedTensorVersioned *made = ramp(length);
    assert(ramps() == 1);
    assert(sum(&made->dl_tensor) == (double)(length * (length - 1) / 2));
    give_back(made);
    assert(ramps() == 0);
  }
  puts("done");
}
