#include "arrays/held_array.hpp"

#include <utility>

namespace array_interface {

namespace {

void Drop(HeldArray* array) {
  if (--array->refs == 0) delete array;
}

extern "C" {

void DeleteTensor(DLManagedTensorVersioned* tensor) {
  Drop(static_cast<HeldArray*>(tensor->manager_ctx));
}

void Release(ai_array* array) {
  if (array->tensor != nullptr) array->tensor->deleter(array->tensor);
  Drop(static_cast<HeldArray*>(array));
}

}  // extern "C"

}  // namespace

HeldArray::HeldArray(Reference owner) : ai_array{}, hold(std::move(owner)) {
  abi = AI_ABI;
  size = sizeof(ai_array);
  release = Release;
  tensor = &managed;
  order_kind = AI_READY;
  managed.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  managed.manager_ctx = this;
  managed.deleter = DeleteTensor;
}

}  // namespace array_interface
