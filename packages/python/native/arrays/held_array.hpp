#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "capsule/abi.hpp"
#include "interpreter/reference.hpp"

namespace array_interface {

/// An array in memory of a Python object, exported to a backend or to another addon. It keeps a
/// reference to the object, which is dropped on any thread once the last consumer has ended.
struct HeldArray : ai_array {
  /// `owner`: the object whose end frees the memory. The thread must be attached.
  explicit HeldArray(Reference owner);

  // NOLINTNEXTLINE(bugprone-invalid-enum-default-initialization): the constructor's caller fills it
  DLManagedTensorVersioned managed{};
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  ///< in elements
  std::string element;                ///< empty if the dtype describes it
  Hold hold;
  std::atomic<int> refs{2};  ///< the array and its tensor, which end independently
};

}  // namespace array_interface
