#include "arrays/taken_tensor.hpp"

#include <cstdint>
#include <utility>

#include "arrays/dense_strides.hpp"

namespace array_interface {

namespace {

/// More axes than any reader accepts.
constexpr std::int32_t kMostAxes = 64;

/// The names of an array's own capsule, before and after it owns the tensor.
constexpr const char* kHeld = "array_interface_held_tensor";
constexpr const char* kOwned = "array_interface_tensor";

template <class Managed>
void DeleteOwned(PyObject* capsule) {
  if (Py().PyCapsule_IsValid(capsule, kOwned) == 0) return;
  Delete(static_cast<Managed*>(Py().PyCapsule_GetPointer(capsule, kOwned)));
}

std::optional<TensorFault> FaultInShape(const DLTensor& tensor) {
  if (tensor.ndim >= 0 && tensor.ndim <= kMostAxes && (tensor.ndim == 0 || tensor.shape != nullptr))
    return std::nullopt;
  return TensorFault{
      "ERR_TYPE", "expected a tensor with a shape of 0 to " + std::to_string(kMostAxes) +
                      " axes, got " +
                      (tensor.shape == nullptr && tensor.ndim > 0 ? "one without a shape"
                                                                  : std::to_string(tensor.ndim)) +
                      "; its producer must set it"};
}

std::uint64_t FlagsOf(const DLManagedTensorVersioned& tensor) { return tensor.flags; }
std::uint64_t FlagsOf(const DLManagedTensor&) { return 0; }

template <class Managed>
std::unique_ptr<HeldArray> MakeHeld(Managed* tensor) {
  auto owner = Reference::Take(Py().PyCapsule_New(tensor, kHeld, DeleteOwned<Managed>));
  if (!owner) return nullptr;
  auto array = std::make_unique<HeldArray>(std::move(owner));
  const DLTensor& given = tensor->dl_tensor;
  auto& managed = array->managed;
  managed.flags = FlagsOf(*tensor);
  managed.dl_tensor = given;
  array->shape.assign(given.shape, given.shape + given.ndim);
  if (given.strides != nullptr) {
    array->strides.assign(given.strides, given.strides + given.ndim);
  } else {  // which producers before DLPack 1.2 allow; core refuses shapes that overflow
    array->strides = DenseStrides(array->shape);
  }
  managed.dl_tensor.shape = array->shape.data();
  managed.dl_tensor.strides = array->strides.data();
  return array;
}

}  // namespace

std::optional<TensorFault> FaultIn(const DLManagedTensorVersioned& tensor) {
  if (tensor.version.major == DLPACK_MAJOR_VERSION) return FaultInShape(tensor.dl_tensor);
  return TensorFault{"ERR_VERSION", "expected a tensor of DLPack 1, got one of version " +
                                        std::to_string(tensor.version.major) + "." +
                                        std::to_string(tensor.version.minor) +
                                        "; its producer must give the version that it was asked "
                                        "for"};
}

std::optional<TensorFault> FaultIn(const DLManagedTensor& tensor) {
  return FaultInShape(tensor.dl_tensor);
}

std::unique_ptr<HeldArray> HoldTensor(DLManagedTensorVersioned* tensor) { return MakeHeld(tensor); }
std::unique_ptr<HeldArray> HoldTensor(DLManagedTensor* tensor) { return MakeHeld(tensor); }

void Own(const HeldArray& array) { Py().PyCapsule_SetName(array.hold.object(), kOwned); }

}  // namespace array_interface
