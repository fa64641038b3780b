#pragma once

#include "dlpack.h"

namespace array_interface {

/// The names of a capsule with DLPack's struct of either version, before and after its use.
template <class Managed>
struct CapsuleNames;
template <>
struct CapsuleNames<DLManagedTensorVersioned> {
  static constexpr const char* kFresh = "dltensor_versioned";
  static constexpr const char* kUsed = "used_dltensor_versioned";
};
template <>
struct CapsuleNames<DLManagedTensor> {
  static constexpr const char* kFresh = "dltensor";
  static constexpr const char* kUsed = "used_dltensor";
};

}  // namespace array_interface
