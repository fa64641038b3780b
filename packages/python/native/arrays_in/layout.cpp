#include "arrays_in/layout.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "arrays/dense_strides.hpp"
#include "interpreter/python_addon.hpp"

namespace array_interface {

bool Layout::IsEmpty() const { return std::find(shape.begin(), shape.end(), 0) != shape.end(); }

void Layout::FillStrides() {
  strides = DenseStrides(shape, element.size);  // core refuses products that overflow
}

bool Layout::CountsElements() const {
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    if (shape[axis] > 1 && strides[axis] % element.size != 0) return false;
  }
  return true;
}

std::unique_ptr<HeldArray> HoldArray(Layout layout, DLDevice device, Reference owner) {
  // The stride of an axis with one element has no meaning, and may be any number.
  for (auto& stride : layout.strides) stride /= layout.element.size;
  auto array = std::make_unique<HeldArray>(std::move(owner));
  array->shape = std::move(layout.shape);
  array->strides = std::move(layout.strides);
  array->element = std::move(layout.element.typestr);
  array->typestr = array->element.empty() ? nullptr : array->element.c_str();
  array->managed.flags = layout.is_read_only ? DLPACK_FLAG_BITMASK_READ_ONLY : 0;
  auto& tensor = array->managed.dl_tensor;
  tensor.data = reinterpret_cast<void*>(layout.pointer);
  tensor.device = device;
  tensor.ndim = static_cast<std::int32_t>(array->shape.size());
  tensor.dtype = layout.element.dtype;
  tensor.shape = array->shape.data();
  tensor.strides = array->strides.data();
  return array;
}

bool IsPossible(const HeldArray& array) {
  const DLTensor& tensor = array.managed.dl_tensor;
  const std::int64_t unit = ItemsizeOf(tensor.dtype);
  std::int64_t bytes = unit;
  bool is_empty = false;
  for (const std::int64_t length : array.shape) {
    if (length < 0) return false;
    is_empty = is_empty || length == 0;
  }
  if (is_empty) return true;
  std::uint64_t start = 0;
  if (__builtin_add_overflow(reinterpret_cast<std::uintptr_t>(tensor.data), tensor.byte_offset,
                             &start))
    return false;
  __int128 low = start;
  __int128 high = low + unit;
  for (std::size_t axis = 0; axis < array.shape.size(); ++axis) {
    const std::int64_t length = array.shape[axis];
    std::int64_t step = 0;
    if (__builtin_mul_overflow(bytes, length, &bytes)) return false;
    if (length == 1) continue;
    if (__builtin_mul_overflow(array.strides[axis], unit, &step)) return false;
    const __int128 reach = static_cast<__int128>(length - 1) * step;
    (reach < 0 ? low : high) += reach;
  }
  return low > 0 && high - 1 <= std::numeric_limits<std::uint64_t>::max();
}

Napi::Value GiveCapsule(Napi::Env env, std::unique_ptr<HeldArray> array) {
  napi_value capsule = nullptr;
  if (ai_wrap(env, array.release(), &capsule) != napi_ok) throw Napi::Error::New(env);
  return {env, capsule};
}

Napi::Value LendCapsule(Napi::Env env, std::unique_ptr<HeldArray> array) {
  auto& last = PythonAddon::Of(env).lent_capsule;
  const auto capsule = last.IsEmpty() ? Napi::External<ai_array*>() : last.Value();
  if (capsule.IsEmpty()) {
    const auto fresh = GiveCapsule(env, std::move(array));
    last = Napi::Weak(fresh.As<Napi::External<ai_array*>>());
    return fresh;
  }
  ai_array** const box = capsule.Data();
  if (*box != nullptr) return GiveCapsule(env, std::move(array));  // that one was not consumed yet
  *box = array.release();
  return capsule;
}

}  // namespace array_interface
