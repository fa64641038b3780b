#include "capsule/exported.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "napi/argument.hpp"
#include "napi/failure.hpp"
#include "napi/plan.hpp"

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

/// The places of core's `CapsuleFields`.
enum Field : std::size_t {
  kFlags,
  kData,
  kType,
  kId,
  kCode,
  kBits,
  kLanes,
  kTypestr,
  kRank,
  kAxes
};

/// Reads the lengths and the strides of the axes, which are the last arguments.
void ReadAxes(const Napi::CallbackInfo& info, std::size_t first, ExportedArray& given) {
  const std::uint64_t rank = ReadSize(info[first + kRank], "shape");
  const std::size_t axes = first + kAxes;
  if (rank > maximum_rank || info.Length() != axes + 2 * rank) {
    Throw(info.Env(),
          {"ERR_TYPE", "shape",
           "expected a length and a stride for each axis, got another number of them", "", 0, ""});
  }
  for (std::size_t axis = 0; axis < rank; ++axis) {
    given.shape.push_back(ReadInteger(info[axes + axis], "shape"));
    given.strides.push_back(ReadInteger(info[axes + rank + axis], "byteStrides"));
  }
}

void ReadTensor(const Napi::CallbackInfo& info, std::size_t first, ExportedArray& given) {
  ReadAxes(info, first, given);
  const auto field = [&](Field one) -> Napi::Value { return info[first + one]; };
  auto& tensor = given.managed;
  tensor.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  tensor.manager_ctx = &given;
  tensor.deleter = DeleteTensor;
  tensor.flags = ReadSize(field(kFlags), "flags");
  auto& layout = tensor.dl_tensor;
  layout.data = reinterpret_cast<void*>(ReadPointer(field(kData), "pointer"));
  layout.device = {static_cast<DLDeviceType>(ReadInteger(field(kType), "device")),
                   static_cast<std::int32_t>(ReadInteger(field(kId), "device"))};
  layout.ndim = static_cast<std::int32_t>(given.shape.size());
  layout.dtype = {static_cast<std::uint8_t>(ReadSize(field(kCode), "dtype")),
                  static_cast<std::uint8_t>(ReadSize(field(kBits), "dtype")),
                  static_cast<std::uint16_t>(ReadSize(field(kLanes), "dtype"))};
  layout.shape = given.shape.data();
  layout.strides = given.strides.data();
  if (!field(kTypestr).IsNull()) given.element = ReadString(field(kTypestr), "typestr");
}

}  // namespace

Napi::Value Give(const Napi::CallbackInfo& info, std::size_t first,
                 std::unique_ptr<ExportedMemory> held, const ExportOrder& order) {
  auto given = std::make_unique<ExportedArray>();
  ReadTensor(info, first, *given);
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
  const Napi::Env env = info.Env();
  if (ai_wrap(env, given.release(), &capsule) != napi_ok) throw Napi::Error::New(env);
  return {env, capsule};
}

}  // namespace array_interface
