#include "capsule/exported.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "napi/argument.hpp"
#include "napi/failure.hpp"

namespace array_interface {

namespace {

/// Everything that a consumer owns, in one allocation. The array and its tensor are released
/// separately, on any thread; the second release deletes the whole.
struct ExportedArray : ai_array {
  // NOLINTNEXTLINE(bugprone-invalid-enum-default-initialization): ReadTensor fills it in
  DLManagedTensorVersioned managed{};
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::string element;
  std::unique_ptr<ExportedMemory> held;
  std::atomic<int> refs{2};
};

void Drop(ExportedArray* given) {
  if (--given->refs == 0) delete given;
}

extern "C" {

void DeleteTensor(DLManagedTensorVersioned* tensor) {
  Drop(static_cast<ExportedArray*>(tensor->manager_ctx));
}

void Release(ai_array* array) {
  if (array->tensor != nullptr) array->tensor->deleter(array->tensor);
  Drop(static_cast<ExportedArray*>(array));
}

void Consumed(ai_array* array, ai_order_kind kind, void* order) {
  static_cast<ExportedArray*>(array)->held->Consumed(kind, order);
}

}  // extern "C"

Napi::Object ReadObject(const Napi::Value& value, const char* path) {
  if (value.IsObject()) return value.As<Napi::Object>();
  Throw(value.Env(), {"ERR_TYPE", path, "expected an object, got another value", "", 0, ""});
}

std::vector<std::int64_t> ReadIntegers(const Napi::Value& value, const char* path) {
  if (!value.IsArray()) {
    Throw(value.Env(), {"ERR_TYPE", path, "expected a list, got another value", "", 0, ""});
  }
  const auto list = value.As<Napi::Array>();
  std::vector<std::int64_t> integers(list.Length());
  for (std::uint32_t i = 0; i < integers.size(); ++i) {
    integers[i] = ReadInteger(list.Get(i), path);
  }
  return integers;
}

void ReadTensor(const Napi::Object& fields, ExportedArray& given) {
  const auto device = ReadObject(fields.Get("device"), "device");
  const auto dtype = ReadObject(fields.Get("dtype"), "dtype");
  given.shape = ReadIntegers(fields.Get("shape"), "shape");
  given.strides = ReadIntegers(fields.Get("elementStrides"), "byteStrides");
  auto& tensor = given.managed;
  tensor.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  tensor.manager_ctx = &given;
  tensor.deleter = DeleteTensor;
  tensor.flags =
      (fields.Get("readOnly").ToBoolean() ? DLPACK_FLAG_BITMASK_READ_ONLY : 0) |
      (fields.Get("subBytePadded").ToBoolean() ? DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED : 0);
  auto& layout = tensor.dl_tensor;
  layout.data = reinterpret_cast<void*>(ReadPointer(fields.Get("data"), "pointer"));
  layout.device = {static_cast<DLDeviceType>(ReadInteger(device.Get("type"), "device")),
                   static_cast<std::int32_t>(ReadInteger(device.Get("id"), "device"))};
  layout.ndim = static_cast<std::int32_t>(given.shape.size());
  layout.dtype = {static_cast<std::uint8_t>(ReadSize(dtype.Get("code"), "dtype")),
                  static_cast<std::uint8_t>(ReadSize(dtype.Get("bits"), "dtype")),
                  static_cast<std::uint16_t>(ReadSize(dtype.Get("lanes"), "dtype"))};
  layout.shape = given.shape.data();
  layout.strides = given.strides.data();
}

}  // namespace

Napi::Value Give(Napi::Env env, const Napi::Value& fields, std::unique_ptr<ExportedMemory> held,
                 const ExportOrder& order) {
  auto given = std::make_unique<ExportedArray>();
  const auto read = ReadObject(fields, "fields");
  ReadTensor(read, *given);
  if (read.Get("typestr").IsString()) given->element = read.Get("typestr").As<Napi::String>();
  given->held = std::move(held);
  given->abi = AI_ABI;
  given->size = sizeof(ai_array);
  given->release = Release;
  given->tensor = &given->managed;
  given->order_kind = order.kind;
  given->order = order.handle;
  given->context = order.context;
  given->consumed = order.hears ? Consumed : nullptr;
  given->typestr = given->element.empty() ? nullptr : given->element.c_str();
  napi_value capsule = nullptr;
  if (ai_wrap(env, given.release(), &capsule) != napi_ok) throw Napi::Error::New(env);
  return {env, capsule};
}

}  // namespace array_interface
