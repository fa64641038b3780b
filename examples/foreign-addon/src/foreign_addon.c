/* Three functions of an addon that knows array_interface.h and nothing else of array-interface:
 * sum(array) reads one, ramp(length) gives one out, through(array) passes one on. */
#include <math.h>
#include <stdlib.h>

#include "array_interface.h"

/* Taking an array in. ***********************************************************************/

/* What is wrong with an array for sum(). NULL: nothing. */
static const char *why_not(const ai_array *array) {
  const DLTensor *tensor = &array->tensor->dl_tensor;
  if (array->typestr != NULL || tensor->dtype.code != kDLFloat || tensor->dtype.bits != 32 ||
      tensor->dtype.lanes != 1)
    return "expected an array of float32, got another dtype; make it with { dtype: 'float32' }";
  if (tensor->device.device_type != kDLCPU || array->order_kind != AI_READY)
    return "expected an array in host memory, got one of a device; copy it with host.array()";
  return NULL;
}

/* Adds up the elements from one axis on, wherever their strides say that they lie. */
static double add_up(const DLTensor *tensor, const float *first, int32_t axis) {
  double sum = 0;
  int64_t i;
  if (axis == tensor->ndim) return *first;
  for (i = 0; i < tensor->shape[axis]; ++i)
    sum += add_up(tensor, first + i * tensor->strides[axis], axis + 1);
  return sum;
}

static bool is_empty(const DLTensor *tensor) {
  int32_t axis;
  for (axis = 0; axis < tensor->ndim; ++axis)
    if (tensor->shape[axis] == 0) return true;
  return false;
}

/* sum(array): of float32 in host memory. */
static napi_value sum(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument = NULL, result = NULL;
  const char *fault;
  ai_array *array;
  double total = 0;
  if (napi_get_cb_info(env, info, &count, &argument, NULL, NULL) != napi_ok) return NULL;
  array = ai_take(env, argument);
  if (array == NULL) return NULL; /* an exception is pending */
  fault = why_not(array);
  if (fault == NULL && !is_empty(&array->tensor->dl_tensor)) {
    const DLTensor *tensor = &array->tensor->dl_tensor;
    total = add_up(tensor, (const float *)((const char *)tensor->data + tensor->byte_offset), 0);
  }
  array->release(array);
  if (fault != NULL) {
    napi_throw_type_error(env, NULL, fault);
    return NULL;
  }
  return napi_create_double(env, total, &result) == napi_ok ? result : NULL;
}

/* Giving an array out. **********************************************************************/

/* A tensor and its elements. The array is apart from them: who takes the tensor out of it may end
 * the two in any order, and on two threads. */
typedef struct {
  DLManagedTensorVersioned tensor;
  int64_t shape[1], strides[1];
  float elements[];
} ramp_t;

/* Both may run on any thread, and call nothing of Node. */
static void ramp_delete(DLManagedTensorVersioned *tensor) { free(tensor->manager_ctx); }

static void ramp_release(ai_array *array) {
  if (array->tensor != NULL) array->tensor->deleter(array->tensor);
  free(array);
}

static DLManagedTensorVersioned *make_tensor(int64_t length) {
  ramp_t *made = (ramp_t *)calloc(1, sizeof *made + (size_t)length * sizeof(float));
  DLTensor *tensor;
  int64_t i;
  if (made == NULL) return NULL;
  for (i = 0; i < length; ++i) made->elements[i] = (float)i;
  made->shape[0] = length;
  made->strides[0] = 1;
  made->tensor.version.major = DLPACK_MAJOR_VERSION;
  made->tensor.version.minor = DLPACK_MINOR_VERSION;
  made->tensor.manager_ctx = made;
  made->tensor.deleter = ramp_delete;
  tensor = &made->tensor.dl_tensor;
  tensor->data = made->elements;
  tensor->device.device_type = kDLCPU;
  tensor->ndim = 1;
  tensor->dtype.code = kDLFloat;
  tensor->dtype.bits = 32;
  tensor->dtype.lanes = 1;
  tensor->shape = made->shape;
  tensor->strides = made->strides;
  return &made->tensor;
}

static ai_array *make_array(int64_t length) {
  ai_array *made = (ai_array *)calloc(1, sizeof *made);
  if (made == NULL) return NULL;
  made->abi = AI_ABI;
  made->size = sizeof *made;
  made->release = ramp_release;
  made->order_kind = AI_READY; /* the elements will be there */
  made->tensor = make_tensor(length);
  if (made->tensor != NULL) return made;
  free(made);
  return NULL;
}

/* ramp(length): a capsule of the float32 numbers 0, 1, 2, … */
static napi_value ramp(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument = NULL, capsule = NULL;
  double length = -1;
  ai_array *made;
  if (napi_get_cb_info(env, info, &count, &argument, NULL, NULL) != napi_ok) return NULL;
  if (napi_get_value_double(env, argument, &length) != napi_ok || !(length >= 0) || length > 1e9 ||
      floor(length) != length) {
    napi_throw_range_error(env, NULL, "expected a length from 0 to 1e9, got another value");
    return NULL;
  }
  made = make_array((int64_t)length);
  if (made == NULL) {
    napi_throw_error(env, NULL, "expected room for the array, got none; free some memory");
    return NULL;
  }
  return ai_wrap(env, made, &capsule) == napi_ok ? capsule : NULL;
}

/* Passing an array on. **********************************************************************/

/* through(array): a new capsule of the same array, whatever memory it is in. An addon that launches
 * kernels makes its stream wait for `order` here, launches them, and then makes `order` wait for
 * its stream. This one leaves the elements alone, and so hands on the order as it got it. */
static napi_value through(napi_env env, napi_callback_info info) {
  size_t count = 1;
  napi_value argument = NULL, capsule = NULL;
  ai_array *array;
  if (napi_get_cb_info(env, info, &count, &argument, NULL, NULL) != napi_ok) return NULL;
  array = ai_take(env, argument);
  if (array == NULL) return NULL;
  return ai_wrap(env, array, &capsule) == napi_ok ? capsule : NULL;
}

NAPI_MODULE_INIT() {
  static const struct {
    const char *name;
    napi_callback call;
  } functions[] = {{"sum", sum}, {"ramp", ramp}, {"through", through}};
  size_t i;
  for (i = 0; i < sizeof functions / sizeof *functions; ++i) {
    napi_value function;
    if (napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].call, NULL,
                             &function) != napi_ok ||
        napi_set_named_property(env, exports, functions[i].name, function) != napi_ok)
      return NULL;
  }
  return exports;
}
