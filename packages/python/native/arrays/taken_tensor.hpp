#pragma once

#include <memory>
#include <optional>
#include <string>

#include "arrays/held_array.hpp"

namespace array_interface {

/// Why a tensor cannot become an array.
struct TensorFault {
  const char* code;
  std::string message;
};

/// Checks version and shape. If the version is wrong, only the tensor's deleter may be used.
std::optional<TensorFault> FaultIn(const DLManagedTensorVersioned& tensor);
std::optional<TensorFault> FaultIn(const DLManagedTensor& tensor);

/// Makes an array of a tensor without a fault. The tensor stays the caller's until Own. Null, with
/// a Python exception set, if there is no memory. The thread must be attached.
std::unique_ptr<HeldArray> HoldTensor(DLManagedTensorVersioned* tensor);
std::unique_ptr<HeldArray> HoldTensor(DLManagedTensor* tensor);

/// From now on the end of the array deletes its tensor, with Python's lock held, which deleters of
/// older producers need. The thread must be attached.
void Own(const HeldArray& array);

/// Deletes a tensor that did not become an array. It may have no deleter.
template <class Managed>
void Delete(Managed* tensor) {
  if (tensor != nullptr && tensor->deleter != nullptr) tensor->deleter(tensor);
}

}  // namespace array_interface
