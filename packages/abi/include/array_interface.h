/* array_interface.h: arrays in host, CUDA or SYCL memory, handed from one Node addon to another.
 *
 * C99 and C++17. There is no library to link; everything here is a type or an inline function.
 * Layout, dtype, device and ownership are DLPack's. The fields next to DLPack's struct describe
 * what it leaves out: the pending work on the memory, and how to order later work after it.
 *
 * In JavaScript an array is a capsule: an External with the type tag below, which can be used once.
 * An object that can export one has a method under Symbol.for('array-interface.array'). The arrays
 * of array-interface's backends have it, and their asArray() accepts such objects and capsules.
 *
 * Later minor versions append fields to ai_array and ai_range, each time a multiple of 8 bytes with
 * explicit padding, so that `size` never counts bytes that an older writer left as padding.
 *
 * Functions that take a napi_env must be called on the environment's JavaScript thread. Everything
 * that an ai_array points to, its functions included, may be used on any thread, by one thread at a
 * time. */
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

/* The major version. A reader built with another one may call `release`, and nothing else. */
#define AI_ABI 1u

/* How later work is ordered after the pending work on the memory. */
typedef uint32_t ai_order_kind;
enum {
  AI_READY = 0,       /* nothing is pending; `order` is NULL */
  AI_CUDA_STREAM = 1, /* a CUstream; 1 is the legacy default stream; never 0 */
  AI_CUDA_EVENT = 2,  /* a CUevent, recorded after the work */
  AI_SYCL_QUEUE = 3,  /* a sycl::queue *, which is dpctl's DPCTLSyclQueueRef */
  AI_SYCL_EVENT = 4   /* a sycl::event *, which is dpctl's DPCTLSyclEventRef */
};
/* Other backends have kinds of their own. A reader refuses a kind that it does not know, as one
 * that it cannot wait for. Numbers below AI_ORDER_REGISTERED are this header's. From there on, each
 * backend registers a range of 16, which the README of @array-interface/abi lists. Those from
 * AI_ORDER_PRIVATE on are for addons of one program, and never registered. Everywhere, odd kinds
 * are streams or queues, which can be made to wait, and even kinds are events, which cannot. */
#define AI_ORDER_REGISTERED 0x100u
#define AI_ORDER_PRIVATE 0x80000000u
#define AI_IS_EVENT(kind) ((kind) != 0u && (kind) % 2u == 0u)

/* An array. The owner of the pointer must call `release` once, at the end. */
typedef struct ai_array {
  /* These three fields are the same in every version. */
  uint32_t abi;  /* AI_ABI of the writer */
  uint32_t size; /* sizeof(ai_array) of the writer. Later minors append fields; see AI_HAS. */
  /* Releases the array, and the tensor unless `tensor` was taken out (set to NULL). By the time of
   * the call, the reader's work must have ended, or `order` must wait for it, or `consumed` must
   * have been told of it. Call it once, on any thread. It must not call Node-API, since it may run
   * after the environment has ended. Node unloads an addon with the last environment that loaded
   * it. So a reader that keeps arrays beyond the end of its own environment must keep the library
   * of this function loaded (dlopen, RTLD_NODELETE). */
  void (*release)(struct ai_array *self);

  /* DLPack's struct of version 1. Strides are set if ndim > 0, and count elements. A reader that
   * sets this field to NULL owns the tensor from then on, and must call its deleter. Array and
   * tensor may then be released in either order, on two threads; the memory stays valid until both
   * have been. */
  struct DLManagedTensorVersioned *tensor;
  ai_order_kind order_kind;
  uint32_t flags; /* 0 */
  /* A handle of the kind `order_kind`, valid until `release`. A reader must make its first use of
   * the memory wait for it: for all work so far on a stream or queue, or for the event. If it
   * cannot, it must block. */
  void *order;
  /* The CUcontext or sycl::context * of the memory, valid until `release`. If NULL, it is the
   * primary context of the CUDA device, or the context of the SYCL queue. */
  void *context;
  /* Makes work that the producer begins from now on wait for the reader's work. `order`, a handle
   * of the kind `kind`, represents what the reader has enqueued; it may be destroyed after the call
   * returns. A reader may call this any number of times before `release`, on any thread.
   * If this is NULL, or the reader does not call it, the reader itself must make the stream or
   * queue in the field `order` wait for its work. For events and AI_READY, the reader's work must
   * end before `release`, and nothing orders what the producer begins meanwhile. So with AI_READY
   * and NULL (host memory, for example), the program must wait for the reader's work before it
   * changes the array. */
  void (*consumed)(struct ai_array *self, ai_order_kind kind, void *order);
  /* The element type as a NumPy type string, if DLPack has no code for it: ">f4", "|V12", "<U8".
   * The tensor's dtype is then kDLOpaqueHandle with 8 bits, and as many lanes as an element has
   * bytes. NULL if the tensor's dtype describes the element. */
  const char *typestr;
} ai_array;

/* Whether the writer of an array set a field. Every array of major 1 has the fields up to
 * `typestr`. Check before you read a field that a later version of this header added. */
#define AI_HAS(array, field) \
  (offsetof(ai_array, field) + sizeof((array)->field) <= (size_t)(array)->size)

/* A kernel of a host backend: a C function that processes the items `begin` to `end` of a range. It
 * runs on any thread, and several parts of the range may run at a time. Axes are in C order, the
 * slowest first; those from `rank` on have one item. `arguments[i]` points to the value of the i-th
 * parameter, which is an address for an array, as with cuLaunchKernel. */
typedef struct ai_range {
  uint32_t size; /* sizeof(ai_range) of the caller */
  uint32_t rank; /* 1 to 3 */
  uint64_t items[3], begin[3], end[3];
} ai_range;
typedef void (*ai_kernel)(const ai_range *range, void *const *arguments);

/* The type tag of capsules. */
static const napi_type_tag ai_array_tag = {0x6b1f0e5a2c0d4f37ULL, 0x9a54d7be83c1f26aULL};

#ifdef NAPI_EXPERIMENTAL
typedef node_api_basic_env ai_finalizer_env;
#else
typedef napi_env ai_finalizer_env;
#endif

/* The finalizer of capsules, which Node calls. Releases the array if the capsule was not used. */
static inline void ai_collected(ai_finalizer_env env, void *data, void *hint) {
  ai_array **box = (ai_array **)data;
  (void)env;
  (void)hint;
  if (*box != NULL) (*box)->release(*box);
  free(box);
}

/* For producers: makes a capsule, which owns the array from now on. If this fails, it releases the
 * array. */
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

/* Returns whether a value is a capsule, used or not. Never throws. */
static inline bool ai_is_capsule(napi_env env, napi_value value) {
  napi_valuetype type = napi_undefined;
  bool is_tagged = false;
  if (napi_typeof(env, value, &type) != napi_ok || type != napi_external) return false;
  if (napi_check_object_type_tag(env, value, &ai_array_tag, &is_tagged) != napi_ok) return false;
  return is_tagged;
}

/* For consumers: takes the array out of a capsule; the caller must release it. Returns NULL,
 * without an exception, if the value is not a capsule or the capsule was used. The array may be of
 * another major version, so check `abi`. */
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

/* Gets the method of an object that returns a capsule. Returns false if there is none, or reading
 * it threw. */
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

/* For consumers: takes the array out of a capsule, or of any object that can export one. The caller
 * must release it. Returns NULL if that fails or the array is of another major version; then an
 * exception is pending, so return to JavaScript. */
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
    napi_throw_type_error(
        env, "ERR_TYPE",
        ai_is_capsule(env, capsule)
            ? "expected an unused capsule, got a used one; get another from its "
              "producer"
            : "expected an array or a capsule, got another value; pass an object with "
              "the method [Symbol.for('array-interface.array')]");
    return NULL;
  }
  if (array->abi == AI_ABI) return array;
  array->release(array);
  napi_throw_error(
      env, "ERR_VERSION",
      "expected an array of version 1 of array_interface.h, got another version; build both "
      "sides with headers of one major version");
  return NULL;
}

/* The `release` of arrays of ai_from_tensor. */
static inline void ai_end_tensor(ai_array *array) {
  if (array->tensor != NULL) array->tensor->deleter(array->tensor);
  free(array);
}

/* For producers: makes an array of a tensor and takes the tensor over. `order` is the handle of
 * `kind` with the pending work, NULL with AI_READY; it must stay valid until `release`. Any thread
 * may call the tensor's deleter. Returns NULL, and leaves the tensor to the caller, if there is no
 * memory, or if the tensor lacks what arrays have: version 1, a deleter, and with axes a shape and
 * strides. */
static inline ai_array *ai_from_tensor(DLManagedTensorVersioned *tensor, ai_order_kind kind,
                                       void *order) {
  ai_array *array = NULL;
  if (tensor->version.major != DLPACK_MAJOR_VERSION || tensor->deleter == NULL) return NULL;
  if (tensor->dl_tensor.ndim != 0 &&
      (tensor->dl_tensor.shape == NULL || tensor->dl_tensor.strides == NULL))
    return NULL;
  array = (ai_array *)calloc(1, sizeof *array);
  if (array == NULL) return NULL;
  array->abi = AI_ABI;
  array->size = sizeof *array;
  array->release = ai_end_tensor;
  array->tensor = tensor;
  array->order_kind = kind;
  array->order = order;
  return array;
}

/* DLPack's C exchange API: tables of functions by which C code exchanges tensors with libraries of
 * Python. The class of an array has its table in a capsule of this name, the attribute
 * `__dlpack_c_exchange_api__`. */
#define AI_EXCHANGE_CAPSULE "dlpack_exchange_api"

/* For consumers: finds the table of DLPack 1 in the contents of such a capsule, which is the newest
 * table and links to older ones. Returns NULL if there is none. A table may lack functions that
 * DLPack demands, so compare those that you call with NULL. */
static inline const DLPackExchangeAPI *ai_find_exchange(const void *contents) {
  const DLPackExchangeAPIHeader *header = (const DLPackExchangeAPIHeader *)contents;
  int most = 16; /* versions: the links may be a circle */
  for (; header != NULL && most > 0; header = header->prev_api, most--) {
    if (header->version.major == DLPACK_MAJOR_VERSION) return (const DLPackExchangeAPI *)header;
  }
  return NULL;
}

#ifdef __cplusplus
}
#endif

#endif /* ARRAY_INTERFACE_H */
