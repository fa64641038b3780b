#include "arrays_in/exchange_in.hpp"

#include <string>

#include "arrays/exchange.hpp"
#include "arrays/taken_tensor.hpp"
#include "napi/failure.hpp"
#include "values/error.hpp"
#include "values/kind.hpp"

namespace array_interface {

namespace {

[[noreturn]] void Refuse(Napi::Env env, const char* code, const std::string& message) {
  Throw(env, {code, kExchangeAttribute, message, "", 0, ""});
}

[[noreturn]] void RefuseMissing(Napi::Env env, const char* function) {
  Refuse(env, "ERR_TYPE",
         std::string("expected a table with ") + function +
             ", got one without; its library must set it");
}

/// The tensor of an object. Null, with a Python exception set, if its library refuses.
DLManagedTensorVersioned* TensorOf(Napi::Env env, PyObject* object,
                                   const DLPackExchangeAPI& table) {
  DLManagedTensorVersioned* tensor = nullptr;
  const int status = table.managed_tensor_from_py_object_no_sync(object, &tensor);
  if (Py().PyErr_Occurred() != nullptr) {
    if (status == 0) Delete(tensor);
    return nullptr;
  }
  if (status == 0 && tensor != nullptr) return tensor;
  Refuse(env, "ERR_TYPE",
         "expected a tensor or an exception from managed_tensor_from_py_object_no_sync, got "
         "neither; its library must set one");
}

bool IsCuda(DLDeviceType device) {
  return device == kDLCUDA || device == kDLCUDAHost || device == kDLCUDAManaged;
}

/// NULL is the legacy default stream.
void SetStream(Napi::Env env, HeldArray& array, const DLPackExchangeAPI& table) {
  const DLDevice device = array.managed.dl_tensor.device;
  if (table.current_work_stream == nullptr) RefuseMissing(env, "current_work_stream");
  void* stream = nullptr;
  const int status = table.current_work_stream(device.device_type, device.device_id, &stream);
  if (Py().PyErr_Occurred() != nullptr) ThrowPending(env);
  if (status != 0) {
    Refuse(env, "ERR_TYPE",
           "expected a stream or an exception from current_work_stream, got neither; its library "
           "must set one");
  }
  array.order_kind = AI_CUDA_STREAM;
  array.order = stream == nullptr ? reinterpret_cast<void*>(1) : stream;
}

/// Deletes a tensor at its end, unless an array has it.
class Owner {
 public:
  explicit Owner(DLManagedTensorVersioned* tensor) : tensor_(tensor) {}
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner() { Delete(tensor_); }

  void Give() { tensor_ = nullptr; }

 private:
  DLManagedTensorVersioned* tensor_;
};

}  // namespace

Exchange ExchangeIn(Napi::Env env, PyObject* attribute) {
  if (attribute == nullptr) return {};
  if (Py().PyCapsule_IsValid(attribute, AI_EXCHANGE_CAPSULE) == 0) {
    Refuse(env, "ERR_TYPE",
           "expected a capsule named " AI_EXCHANGE_CAPSULE
           ", got another one, or an object of "
           "the class " +
               ClassName(attribute) + "; see DLPack's header");
  }
  const void* const contents = Py().PyCapsule_GetPointer(attribute, AI_EXCHANGE_CAPSULE);
  if (contents == &own_exchange) return {};
  const DLPackExchangeAPI* const table = ai_find_exchange(contents);
  if (table == nullptr)
    return {nullptr, static_cast<const DLPackExchangeAPIHeader*>(contents)->version};
  if (table->managed_tensor_from_py_object_no_sync == nullptr)
    RefuseMissing(env, "managed_tensor_from_py_object_no_sync");
  return {table, std::nullopt};
}

std::unique_ptr<HeldArray> FromExchange(Napi::Env env, PyObject* object,
                                        const DLPackExchangeAPI& table) {
  DLManagedTensorVersioned* const tensor = TensorOf(env, object, table);
  if (tensor == nullptr) return nullptr;
  Owner owner(tensor);
  if (const auto fault = FaultIn(*tensor)) Refuse(env, fault->code, fault->message);
  const auto device = tensor->dl_tensor.device.device_type;
  if (device == kDLOneAPI) return nullptr;  // DLPack does not say which queue has the work
  auto array = HoldTensor(tensor);
  if (array == nullptr) ThrowPending(env);
  if (IsCuda(device)) SetStream(env, *array, table);
  owner.Give();
  Own(*array);
  return array;
}

void RefuseVersion(Napi::Env env, DLPackVersion version) {
  Refuse(env, "ERR_VERSION",
         "expected a table of DLPack 1, got one of version " + std::to_string(version.major) + "." +
             std::to_string(version.minor) + "; use a release of its library that has one");
}

}  // namespace array_interface
