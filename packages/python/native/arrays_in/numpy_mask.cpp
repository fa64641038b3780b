#include "arrays_in/numpy_mask.hpp"

#include "interpreter/made_once.hpp"
#include "interpreter/own_code.hpp"
#include "napi/failure.hpp"
#include "values/error.hpp"
#include "values/kind.hpp"

namespace array_interface {

namespace {

constexpr const char* kCode = R"(
import sys

def validity(array):
    ma = sys.modules.get('numpy.ma')
    if ma is None or not isinstance(array, ma.MaskedArray): return None
    mask = ma.getmask(array)
    if mask is ma.nomask: return None
    if mask.dtype.names is not None: return False if any(mask.tobytes()) else None
    return (~mask).reshape(mask.shape) # of a mask without axes, ~ makes a scalar
)";

/// The class is one of Python code, with a method that other arrays lack.
bool MayBeMasked(PyObject* object) {
  const auto type = Reference::Take(Py().PyObject_Type(object));
  const bool is_python = (Py().PyType_GetFlags(type.get()) & kHeapFlag) != 0;
  return is_python && Py().PyObject_HasAttrString(type.get(), "filled") != 0;
}

}  // namespace

void AddMaskOfNumpy(Napi::Env env, PyObject* object, PyObject* dict) {
  if (!MayBeMasked(object) || !HasFlag(dict, kDictFlag)) return;
  static MadeOnce made;
  PyObject* const function = made.Get([] { return OwnCode(kCode, "validity"); });
  if (function == nullptr) ThrowPending(env);
  const Reference mask = Checked(env, Py().PyObject_CallFunctionObjArgs(function, object, nullptr));
  if (mask.get() == Py().None) return;
  if (mask.get() == Py().False) {
    Throw(env, {"ERR_MASK", "mask",
                "expected whole elements that are masked, got fields of records that are; pass one "
                "field of it, or what its filled() returns",
                "", 0, ""});
  }
  if (Py().PyDict_SetItemString(dict, "mask", mask.get()) != 0) ThrowPending(env);
}

}  // namespace array_interface
