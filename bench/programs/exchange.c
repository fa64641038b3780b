// What C code of another library does with DLPack's C exchange API: it takes tensors of an object
// by the table of its class, and ends them; and it has a table, whose tensors are 1,000 numbers in
// memory that stays.
#include <stdlib.h>
#include <time.h>

#include "dlpack.h"

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// Nanoseconds of one export and its end, among `count`; -1 if an export fails. Needs Python's lock.
double time_exports(const DLPackExchangeAPI *table, void *object, int count) {
  double begin = now();
  for (int i = 0; i < count; i++) {
    DLManagedTensorVersioned *tensor;
    if (table->managed_tensor_from_py_object_no_sync(object, &tensor) != 0) return -1;
    tensor->deleter(tensor);
  }
  return (now() - begin) / count;
}

// The same without an owner.
double time_loans(const DLPackExchangeAPI *table, void *object, int count) {
  double begin = now();
  for (int i = 0; i < count; i++) {
    DLTensor tensor;
    if (table->dltensor_from_py_object_no_sync(object, &tensor) != 0) return -1;
  }
  return (now() - begin) / count;
}

static double *numbers;  // as large as the benchmark's, and kept
static int64_t length[1] = {1000}, stride[1] = {1};

static void end(DLManagedTensorVersioned *tensor) { free(tensor); }

static int give(void *object, DLManagedTensorVersioned **out) {
  DLManagedTensorVersioned *tensor = calloc(1, sizeof *tensor);
  (void)object;
  if (numbers == NULL) numbers = calloc(1000, sizeof *numbers);
  if (tensor == NULL || numbers == NULL) abort();
  tensor->version.major = DLPACK_MAJOR_VERSION;
  tensor->version.minor = DLPACK_MINOR_VERSION;
  tensor->deleter = end;
  tensor->dl_tensor.data = numbers;
  tensor->dl_tensor.device.device_type = kDLCPU;
  tensor->dl_tensor.ndim = 1;
  tensor->dl_tensor.dtype = (DLDataType){kDLFloat, 64, 1};
  tensor->dl_tensor.shape = length;
  tensor->dl_tensor.strides = stride;
  *out = tensor;
  return 0;
}

const DLPackExchangeAPI table = {
    .header = {{DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION}, NULL},
    .managed_tensor_from_py_object_no_sync = give,
};
