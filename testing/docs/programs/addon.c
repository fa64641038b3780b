/* An addon of both functions of packages/abi/README.md: `first`, and `give`, which `floats` calls.
 */
#include <stdlib.h>

/* Node keeps memory until it ends, which LeakSanitizer could not tell from ours. So we count. */
static int allocated;

static void *counted(void *memory) {
  if (memory != NULL) allocated++;
  return memory;
}
static void uncounted(void *memory) {
  if (memory != NULL) allocated--;
  free(memory);
}
#define malloc(size) counted(malloc(size))
#define calloc(count, size) counted(calloc(count, size))
#define free(memory) uncounted(memory)

#include FIRST
#include GIVE

static void delete_floats(DLManagedTensorVersioned *tensor) { free(tensor); }

typedef struct {
  DLManagedTensorVersioned tensor;
  int64_t shape[1], strides[1];
  float elements[3];
} Floats;

static napi_value floats(napi_env env, napi_callback_info info) {
  Floats *made = calloc(1, sizeof *made);
  (void)info;
  if (made == NULL) return NULL;
  for (int i = 0; i < 3; i++) made->elements[i] = (float)(i + 7);
  made->shape[0] = 3;
  made->strides[0] = 1;
  made->tensor = (DLManagedTensorVersioned){
      .version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION},
      .deleter = delete_floats,
      .dl_tensor = {.data = made->elements,
                    .device = {kDLCPU, 0},
                    .ndim = 1,
                    .dtype = {kDLFloat, 32, 1},
                    .shape = made->shape,
                    .strides = made->strides},
  };
  return give(env, &made->tensor);
}

static napi_value left(napi_env env, napi_callback_info info) {
  napi_value result = NULL;
  (void)info;
  napi_create_int32(env, allocated, &result);
  return result;
}

NAPI_MODULE_INIT() {
  napi_value function;
  if (napi_create_function(env, "first", NAPI_AUTO_LENGTH, first, NULL, &function) == napi_ok)
    napi_set_named_property(env, exports, "first", function);
  if (napi_create_function(env, "floats", NAPI_AUTO_LENGTH, floats, NULL, &function) == napi_ok)
    napi_set_named_property(env, exports, "floats", function);
  if (napi_create_function(env, "left", NAPI_AUTO_LENGTH, left, NULL, &function) == napi_ok)
    napi_set_named_property(env, exports, "left", function);
  return exports;
}
