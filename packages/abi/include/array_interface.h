/* array_interface.h: arrays in host, CUDA or SYCL memory, handed from one Node addon to another.
 *
 * C99 and C++17. There is no library to link; everything here is a type or an inline function.
 * Layout, dtype, device and ownership are DLPack's. What DLPack leaves out stands beside its
 * struct: whose pending work the memory has, and how the next one gets behind it.
 *
 * In JavaScript an array is a capsule: an External with the type tag below, good for one use. An
 * object that can give one has a method under Symbol.for('array-interface.array'). The arrays of
 * array-interface's backends have it, and their asArray() takes such objects and capsules.
 *
 * Later minors append fields to ai_array and ai_range, each time a multiple of 8 bytes with its
 * padding written out, so that `size` never counts bytes that an older writer left as padding.
 *
 * Only the functions that take a napi_env belong to the environment's JavaScript thread. All that
 * an ai_array points to, its functions included, may be used on any thread, one at a time. */
#ifndef ARRAY_INTERFACE_H
#define ARRAY_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef NAPI_VERSION
#define NAPI_VERSION 8
#endif
#include <node_api.h>

#include "dlpack.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The major version. A reader of another one may call `release`, and nothing else. */
#define AI_ABI 1u

/* Where work on the memory may be pending, and how one gets behind it. */
typedef uint32_t ai_order_kind;
enum {
  AI_READY = 0,       /* nothing is pending; `order` is NULL */
  AI_CUDA_STREAM = 1, /* a CUstream; 1 is the legacy default stream; never 0 */
  AI_CUDA_EVENT = 2,  /* a CUevent, recorded after the work */
  AI_SYCL_QUEUE = 3,  /* a sycl::queue *, which is dpctl's DPCTLSyclQueueRef */
  AI_SYCL_EVENT = 4   /* a sycl::event *, which is dpctl's DPCTLSyclEventRef */
};

/* An array. Whoever holds the pointer calls `release` once, in the end. */
typedef struct ai_array {
  /* These three stay as they are in every version. */
  uint32_t abi;  /* AI_ABI of the writer */
  uint32_t size; /* sizeof(ai_array) of the writer. Later minors append fields; see AI_HAS. */
  /* Ends the array, and the tensor unless `tensor` was taken out (set to NULL). The holder's work
   * has ended by now, or stands before `order`, or before a point that `consumed` was told of. On
   * any thread, once. It must not call Node-API: it may run when the environment is gone. Node
   * unloads an addon with the last environment that loaded it: a reader that keeps arrays beyond
   * its own environment's end keeps the library of this function loaded (dlopen, RTLD_NODELETE). */
  void (*release)(struct ai_array *self);

  /* DLPack's struct of version 1: strides are set where ndim > 0, and count elements. Who sets this
   * to NULL owns the tensor from then on, and calls its deleter. Array and tensor may then end in
   * either order, on two threads; the memory stays until both have. */
  struct DLManagedTensorVersioned *tensor;
  ai_order_kind order_kind;
  uint32_t flags; /* 0 */
  /* A handle of the kind. It lives until `release`. A reader makes its first use of the memory wait
   * for the work there: all of a stream or queue so far, or the event. Where it cannot, it blocks.
   */
  void *order;
  /* The CUcontext or sycl::context * of the memory. NULL: the device's primary context, the queue's
   * context. It lives until `release`. */
  void *context;
  /* The reader's half: work that the producer begins from now on waits for the reader's. `order` of
   * `kind` names what the reader has enqueued, and may end when the call returns. As often as one
   * likes before `release`, on any thread. NULL, or not called: the reader makes the stream or
   * queue `order` wait for its work itself; for events and AI_READY its work ends before `release`,
   * and nothing orders what the producer begins meanwhile. So where AI_READY comes with NULL (host
   * memory, say), the program waits for the reader's work before it changes the array. */
  void (*consumed)(struct ai_array *self, ai_order_kind kind, void *order);
  /* What one element is, as NumPy writes it, where DLPack has no code: ">f4", "|V12", "<U8". The
   * tensor's dtype is then kDLOpaqueHandle with 8 bits and as many lanes as an element has bytes.
   * NULL: the tensor's dtype says it. */
  const char *typestr;
} ai_array;

/* Whether the writer of an array knew a field. Those up to `typestr` are in every array of major 1;
 * ask before you read one that a later version of this header has. */
#define AI_HAS(array, field) \
  (offsetof(ai_array, field) + sizeof((array)->field) <= (size_t)(array)->size)

/* A kernel of a host backend: a C function that does the items `begin` to `end` of a range, on any
 * thread, several parts at a time. Axes are in C order, the slowest first; those from `rank` on
 * have one item. `arguments[i]` points to the value of the i-th parameter, which is an address for
 * an array, as cuLaunchKernel has them. */
typedef struct ai_range {
  uint32_t size; /* sizeof(ai_range) of the caller */
  uint32_t rank; /* 1 to 3 */
  uint64_t items[3], begin[3], end[3];
} ai_range;
typedef void (*ai_kernel)(const ai_range *range, void *const *arguments);

/* The tag of capsules. */
static const napi_type_tag ai_array_tag = {0x6b1f0e5a2c0d4f37ULL, 0x9a54d7be83c1f26aULL};

#ifdef NAPI_EXPERIMENTAL
typedef node_api_basic_env ai_finalizer_env;
#else
typedef napi_env ai_finalizer_env;
#endif

/* Releases what is in a capsule that goes unused. Node calls it. */
static inline void ai_collected(ai_finalizer_env env, void *data, void *hint) {
  ai_array **box = (ai_array **)data;
  (void)env;
  (void)hint;
  if (*box != NULL) (*box)->release(*box);
  free(box);
}

/* Producer: a capsule of an array, which is the capsule's from now on, also where this fails. */
static inline napi_status ai_wrap(napi_env env, ai_array *array, napi_value *capsule) {
  ai_array **box = (ai_array **)malloc(sizeof *box);
  napi_status status = napi_generic_failure;
  if (box != NULL) {
    *box = array;
    status = napi_create_external(env, box, ai_collected, NULL, capsule);
    if (status == napi_ok) return napi_type_tag_object(env, *capsule, &ai_array_tag);
    free(box);
  }
  array->release(array);
  return status;
}

/* Whether a value is a capsule, used or not. Never throws. */
static inline bool ai_is_capsule(napi_env env, napi_value value) {
  napi_valuetype type = napi_undefined;
  bool is_tagged = false;
  if (napi_typeof(env, value, &type) != napi_ok || type != napi_external) return false;
  if (napi_check_object_type_tag(env, value, &ai_array_tag, &is_tagged) != napi_ok) return false;
  return is_tagged;
}

/* Consumer: takes the array out of a capsule, for good; the caller releases it. NULL, and no
 * exception: it is no capsule, or a used one. The array may be of another major; see `abi`. */
static inline ai_array *ai_unwrap(napi_env env, napi_value value) {
  void *data = NULL;
  ai_array **box = NULL;
  ai_array *array = NULL;
  if (!ai_is_capsule(env, value)) return NULL;
  if (napi_get_value_external(env, value, &data) != napi_ok) return NULL;
  box = (ai_array **)data;
  array = *box;
  *box = NULL;
  return array;
}

/* The method of an object that gives a capsule, in `method`. False: it has none, or reading it
 * threw. */
static inline bool ai_find_method(napi_env env, napi_value object, napi_value *method) {
  napi_valuetype type = napi_undefined;
  napi_value global, symbols, make, name, key;
  if (napi_typeof(env, object, &type) != napi_ok) return false;
  if (type != napi_object && type != napi_function) return false;
  if (napi_get_global(env, &global) != napi_ok) return false;
  if (napi_get_named_property(env, global, "Symbol", &symbols) != napi_ok) return false;
  if (napi_get_named_property(env, symbols, "for", &make) != napi_ok) return false;
  if (napi_create_string_utf8(env, "array-interface.array", NAPI_AUTO_LENGTH, &name) != napi_ok)
    return false;
  if (napi_call_function(env, symbols, make, 1, &name, &key) != napi_ok) return false;
  if (napi_get_property(env, object, key, method) != napi_ok) return false;
  return napi_typeof(env, *method, &type) == napi_ok && type == napi_function;
}

/* Consumer: the same for a capsule or any object that gives one, of this major. NULL: an exception
 * is pending that says why, so return to JavaScript. */
static inline ai_array *ai_take(napi_env env, napi_value value) {
  napi_value method = NULL, capsule = value;
  ai_array *array = NULL;
  bool is_pending = false;
  if (ai_find_method(env, value, &method) &&
      napi_call_function(env, value, method, 0, NULL, &capsule) != napi_ok)
    capsule = value;
  if (napi_is_exception_pending(env, &is_pending) == napi_ok && is_pending) return NULL;
  array = ai_unwrap(env, capsule);
  if (array == NULL) {
    napi_throw_type_error(env, "ERR_TYPE",
                          ai_is_capsule(env, capsule)
                              ? "expected a capsule that nobody has used, got a used one; ask its "
                                "maker for another"
                              : "expected an array or a capsule, got another value; pass what has "
                                "the method [Symbol.for('array-interface.array')]");
    return NULL;
  }
  if (array->abi == AI_ABI) return array;
  array->release(array);
  napi_throw_error(env, "ERR_VERSION",
                   "expected an array of version 1 of array_interface.h, got another; build both "
                   "sides with headers of one major version");
  return NULL;
}

#ifdef __cplusplus
}
#endif

#endif /* ARRAY_INTERFACE_H */
