#include "arrays_in/dlpack_in.hpp"

#include <array>
#include <cstring>
#include <utility>

#include "arrays/capsule_names.hpp"
#include "arrays/taken_tensor.hpp"
#include "arrays_in/plain_dict.hpp"
#include "napi/failure.hpp"
#include "objects/vectorcall.hpp"
#include "values/error.hpp"
#include "values/kind.hpp"

namespace array_interface {

namespace {

constexpr const char* kMethod = "__dlpack__";

[[noreturn]] void Refuse(Napi::Env env, const char* code, const std::string& message) {
  Throw(env, {code, kMethod, message, "", 0, ""});
}

/// Takes over the tensor in a capsule, and marks the capsule as used.
template <class T>
std::unique_ptr<HeldArray> Take(Napi::Env env, PyObject* capsule) {
  auto* tensor = static_cast<T*>(Py().PyCapsule_GetPointer(capsule, CapsuleNames<T>::kFresh));
  if (tensor == nullptr) ThrowPending(env);
  if (const auto fault = FaultIn(*tensor)) Refuse(env, fault->code, fault->message);
  auto array = HoldTensor(tensor);
  if (array == nullptr) ThrowPending(env);
  Own(*array);
  Py().PyCapsule_SetName(capsule, CapsuleNames<T>::kUsed);
  return array;
}

std::unique_ptr<HeldArray> TakeEither(Napi::Env env, PyObject* capsule) {
  if (Py().PyCapsule_IsValid(capsule, CapsuleNames<DLManagedTensorVersioned>::kFresh) != 0)
    return Take<DLManagedTensorVersioned>(env, capsule);
  if (Py().PyCapsule_IsValid(capsule, CapsuleNames<DLManagedTensor>::kFresh) != 0)
    return Take<DLManagedTensor>(env, capsule);
  const char* name = Py().PyCapsule_GetName(capsule);
  const bool is_capsule = Py().PyErr_Occurred() == nullptr;
  Py().PyErr_Clear();
  if (name != nullptr && std::strncmp(name, "used_dltensor", 13) == 0) {
    Refuse(env, "ERR_DISPOSED",
           "expected an unused capsule, got a used one; have each call return a new one");
  }
  Refuse(env, "ERR_TYPE",
         std::string("expected a capsule named dltensor_versioned or dltensor, got ") +
             (is_capsule ? std::string("one named ") + (name == nullptr ? "nothing" : name)
                         : "an object of the class " + ClassName(capsule)) +
             "; see DLPack's specification of this method");
}

/// Calls the method with the arguments that it supports. Null if it raised.
Reference Ask(Napi::Env env, PyObject* method, bool has_version, bool has_stream) {
  const Names& names = TheNames();
  std::array<PyObject*, 2> values{};
  auto keywords = Checked(env, Py().PyTuple_New((has_version ? 1 : 0) + (has_stream ? 1 : 0)));
  std::size_t count = 0;
  const auto pass = [&](PyObject* name, PyObject* value) {
    Py().PyTuple_SetItem(keywords.get(), static_cast<Py_ssize_t>(count),
                         Reference::Share(name).Give());
    values[count++] = value;
  };
  if (has_version) pass(names.max_version, names.dlpack_version);
  if (has_stream) pass(names.stream, names.legacy_stream);
  return CallWith(method, values.data(), 0, keywords.get());
}

/// Gets a new capsule from an object. Producers before DLPack 1.0 do not accept `max_version`.
Reference AskForCapsule(Napi::Env env, PyObject* object, bool has_stream) {
  const auto method = Checked(env, Py().PyObject_GetAttr(object, TheNames().dlpack));
  auto given = Ask(env, method.get(), true, has_stream);
  if (given) return given;
  if (Py().PyErr_ExceptionMatches(*Py().PyExc_TypeError) == 0) ThrowPending(env);
  Py().PyErr_Clear();
  return Checked(env, Ask(env, method.get(), false, has_stream));
}

bool IsCuda(std::int32_t device) { return device == kDLCUDA || device == kDLCUDAManaged; }

/// Blocks until the object's queue, an attribute of dpctl's and dpnp's arrays, is idle.
void WaitForQueue(Napi::Env env, PyObject* object) {
  const auto queue = IfPresent(env, Py().PyObject_GetAttrString(object, "sycl_queue"));
  if (queue) Checked(env, Py().PyObject_CallMethod(queue.get(), "wait", nullptr));
}

/// DLPack's type of the device that `__dlpack_device__` reports. 0 if there is none.
std::int32_t DeviceTypeOf(Napi::Env env, PyObject* object) {
  const auto method = IfPresent(env, Py().PyObject_GetAttr(object, TheNames().dlpack_device));
  if (!method) return 0;
  const auto device = Checked(env, Py().PyObject_CallNoArgs(method.get()));
  const auto type = Checked(env, Py().PyObject_GetItem(device.get(), TheNames().zero));
  const auto number = Checked(env, Py().PyNumber_Index(type.get()));  // usually an enum
  int overflow = 0;
  return static_cast<std::int32_t>(Py().PyLong_AsLongLongAndOverflow(number.get(), &overflow));
}

}  // namespace

std::unique_ptr<HeldArray> FromDLPack(Napi::Env env, PyObject* object) {
  // Only producers of CUDA memory must support a stream.
  const bool has_stream = IsCuda(DeviceTypeOf(env, object));
  const auto capsule = AskForCapsule(env, object, has_stream);
  auto array = TakeEither(env, capsule.get());
  const auto device = static_cast<std::int32_t>(array->managed.dl_tensor.device.device_type);
  if (IsCuda(device)) {
    array->order_kind = AI_CUDA_STREAM;
    array->order = reinterpret_cast<void*>(1);
  } else if (device == kDLOneAPI) {
    WaitForQueue(env, object);
  }
  return array;
}

}  // namespace array_interface
