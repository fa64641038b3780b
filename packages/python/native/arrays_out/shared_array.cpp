#include "arrays_out/shared_array.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "arrays/dense_strides.hpp"
#include "arrays/element.hpp"
#include "arrays_out/cuda_order.hpp"
#include "arrays_out/sycl_order.hpp"

namespace array_interface {

namespace {

ArrayPlace PlaceOf(const DLTensor& tensor) {
  switch (tensor.device.device_type) {
    case kDLCPU:
      return ArrayPlace::kHost;
    case kDLCUDA:
    case kDLCUDAHost:
    case kDLCUDAManaged:
      return ArrayPlace::kCuda;
    case kDLOneAPI:
      return ArrayPlace::kSycl;
    default:
      throw std::invalid_argument(
          "expected an array in host, CUDA or SYCL memory, got one on a device of type " +
          std::to_string(tensor.device.device_type) + "; copy it to the host first");
  }
}

/// True if work on memory of this kind can have such an order.
bool Fits(ArrayPlace place, ai_order_kind kind) {
  if (kind == AI_READY) return true;
  const bool is_cuda = kind == AI_CUDA_STREAM || kind == AI_CUDA_EVENT;
  const bool is_sycl = kind == AI_SYCL_QUEUE || kind == AI_SYCL_EVENT;
  return (place == ArrayPlace::kCuda && is_cuda) || (place == ArrayPlace::kSycl && is_sycl);
}

/// More axes than any reader accepts. A tensor that claims more is invalid.
constexpr std::int32_t kMostAxes = 1024;

bool HasLayout(const DLTensor& tensor) {
  if (tensor.ndim < 0 || tensor.ndim > kMostAxes) return false;
  if (tensor.ndim > 0 && tensor.shape == nullptr) return false;
  for (std::int32_t axis = 0; axis < tensor.ndim; ++axis) {
    if (tensor.shape[axis] < 0) return false;
  }
  return true;
}

/// The array, if it is valid: no addon is trusted to fill in everything.
ai_array* Whole(ai_array* array) {
  const auto* const tensor = array->tensor;
  if (tensor == nullptr || tensor->version.major != DLPACK_MAJOR_VERSION ||
      !HasLayout(tensor->dl_tensor)) {
    throw std::invalid_argument(
        "expected an array with a tensor of DLPack 1 and a shape, got one without; its addon "
        "must set them");
  }
  if (array->order_kind != AI_READY && array->order == nullptr) {
    throw std::invalid_argument(
        "expected the stream, queue or event of an order, got none; its addon must set "
        "`order`, or AI_READY");
  }
  return array;
}

[[noreturn]] void RefuseLayout(const std::string& what) {
  throw std::overflow_error("expected " + what +
                            "; its addon must describe the memory that it has");
}

/// False, with a meaningless product, if it overflows.
bool Multiply(std::int64_t one, std::int64_t other, std::int64_t& product) {
  return !__builtin_mul_overflow(one, other, &product);
}

}  // namespace

SharedArray::SharedArray(ai_array* array, Words words)
    : array_(Whole(array)),
      place_(PlaceOf(array->tensor->dl_tensor)),
      read_only_(words.read_only || (array->tensor->flags & DLPACK_FLAG_BITMASK_READ_ONLY) != 0),
      has_bytes_(!words.typestr.empty()),
      typestr_(has_bytes_                  ? std::move(words.typestr)
               : array->typestr != nullptr ? array->typestr
                                           : TypestrOf(tensor().dtype)),
      descr_(std::move(words.descr)),
      format_(descr_.empty() ? FormatOf(typestr_) : std::move(words.format)),
      itemsize_(static_cast<std::size_t>(ItemsizeOf(tensor().dtype))) {
  if (!Fits(place_, array->order_kind)) {
    throw std::invalid_argument("expected an order of the memory's own kind, got kind " +
                                std::to_string(array->order_kind) +
                                "; have its producer wait for its work and set AI_READY");
  }
  const auto& dtype = tensor().dtype;
  if (std::size_t{dtype.bits} * dtype.lanes % 8 != 0 && !is_padded()) {
    throw std::invalid_argument("expected elements of whole bytes, got " +
                                std::to_string(dtype.bits) + " bits; view it as bytes");
  }
  if (has_bytes_ && (itemsize_ != 1 || tensor().ndim == 0 || place_ == ArrayPlace::kSycl)) {
    throw std::invalid_argument(
        "expected the bytes of elements in host or CUDA memory, got other ones; copy the array "
        "first");
  }
  ReadLayout();
}

SharedArray::~SharedArray() {
  if (place_ == ArrayPlace::kCuda) {
    EndOnCuda(array_, has_strangers_);
  } else if (place_ == ArrayPlace::kSycl) {
    EndOnSycl(array_, queues_);
  } else {
    array_->release(array_);
  }
}

bool SharedArray::is_padded() const {
  return (array_->tensor->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) != 0;
}

std::uint64_t SharedArray::pointer() const {
  return reinterpret_cast<std::uint64_t>(tensor().data) + tensor().byte_offset;
}

void SharedArray::NoteStranger() const {
  const std::lock_guard lock(mutex_);
  has_strangers_ = true;
}

bool SharedArray::NoteQueue(void* queue, bool (*is_same)(void*, void*)) const {
  const std::lock_guard lock(mutex_);
  for (void* const known : queues_) {
    if (is_same(known, queue)) return false;
  }
  queues_.push_back(queue);
  return true;
}

void SharedArray::ReadLayout() {
  const auto axes = static_cast<std::size_t>(tensor().ndim);
  shape_.assign(tensor().shape, tensor().shape + axes);
  ReadSize();
  ReadStrides();
  if (has_bytes_) FoldBytes();
  CheckPlace();
  is_c_ = IsDense(false);
  is_fortran_ = IsDense(true);
}

/// The last axis becomes the bytes of an element.
void SharedArray::FoldBytes() {
  itemsize_ = static_cast<std::size_t>(shape_.back());
  size_ = itemsize_ == 0 ? 0 : size_ / itemsize_;
  for (auto* const axes : {&shape_, &element_strides_, &byte_strides_}) axes->pop_back();
}

/// An array with an axis of length 0 has no elements, however long the others are.
void SharedArray::ReadSize() {
  if (std::find(shape_.begin(), shape_.end(), 0) != shape_.end()) {
    size_ = 0;
    return;
  }
  std::int64_t size = 1;
  std::int64_t bytes = 0;
  bool fits = true;
  for (const std::int64_t length : shape_) fits = fits && Multiply(size, length, size);
  if (!fits || !Multiply(size, static_cast<std::int64_t>(itemsize_), bytes))
    RefuseLayout("at most 2^63 - 1 elements and bytes, got more");
  size_ = static_cast<std::size_t>(size);
}

void SharedArray::ReadStrides() {
  const auto unit = static_cast<std::int64_t>(itemsize_);
  const std::int64_t* const given = tensor().strides;
  if (given != nullptr) {
    element_strides_.assign(given, given + shape_.size());
  } else {
    element_strides_ = DenseStrides(shape_);
  }
  byte_strides_.resize(shape_.size());
  for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
    std::int64_t& stride = element_strides_[axis];
    if (Multiply(stride, unit, byte_strides_[axis])) continue;
    if (size_ > 0 && shape_[axis] > 1)
      RefuseLayout("strides of less than 2^63 bytes, got larger ones");
    stride = byte_strides_[axis] = 0;  // no reader uses such a stride
  }
}

/// Throws if addresses wrap, or if an element is at address 0. No sum overflows, since the lengths'
/// product fits.
void SharedArray::CheckPlace() const {
  if (size_ == 0) return;
  std::uint64_t start = 0;
  if (__builtin_add_overflow(reinterpret_cast<std::uintptr_t>(tensor().data), tensor().byte_offset,
                             &start))
    RefuseLayout("a byte offset that stays within 64 bits, got a larger one");
  __int128 low = start;
  __int128 high = low + static_cast<__int128>(itemsize_);
  for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
    const __int128 reach = static_cast<__int128>(shape_[axis] - 1) * byte_strides_[axis];
    (reach < 0 ? low : high) += reach;
  }
  if (low <= 0 || high - 1 > std::numeric_limits<std::uint64_t>::max())
    RefuseLayout("elements at addresses within 1 .. 2^64 - 1, got others");
}

bool SharedArray::IsDense(bool fortran) const {
  if (size_ == 0) return true;
  if (has_bytes_) return false;
  std::int64_t dense = 1;
  for (std::size_t i = 0; i < shape_.size(); ++i) {
    const std::size_t axis = fortran ? i : shape_.size() - 1 - i;
    if (shape_[axis] != 1 && element_strides_[axis] != dense) return false;
    dense *= shape_[axis];
  }
  return true;
}

}  // namespace array_interface
