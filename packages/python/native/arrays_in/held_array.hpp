#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrays_in/element.hpp"
#include "capsule/abi.hpp"
#include "interpreter/reference.hpp"

namespace array_interface {

/// An array in memory of a Python object, on its way to a backend or to another addon. It holds a
/// reference, which goes when the last consumer has ended, on any thread.
struct HeldArray : ai_array {
  /// Of an object whose end gives the memory up. The thread is attached.
  explicit HeldArray(Reference owner);

  // NOLINTNEXTLINE(bugprone-invalid-enum-default-initialization): the constructor's caller fills it
  DLManagedTensorVersioned managed{};
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  ///< in elements
  std::string element;                ///< empty where the dtype says it
  Hold hold;
  std::atomic<int> refs{2};  ///< the array and its tensor, which end apart
};

/// An element, an address, a shape and strides in bytes, in ordinary words.
struct Layout {
  Element element{};
  std::uint64_t pointer = 0;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  ///< in bytes
  bool is_read_only = false;

  bool IsEmpty() const;
  /// Sets the strides of C order.
  void FillStrides();
  /// Whether its strides are whole elements, as those of a capsule.
  bool CountsElements() const;
};

/// An array of a layout that counts elements, on `device`. The thread is attached.
std::unique_ptr<HeldArray> HoldArray(Layout layout, DLDevice device, Reference owner);

/// Whether its bytes, steps and addresses fit 64 bits, and none is at address 0. Core looks at all
/// that it is given; other addons may not.
bool IsPossible(const HeldArray& array);

/// A capsule of it, good for one use.
Napi::Value GiveCapsule(Napi::Env env, std::unique_ptr<HeldArray> array);

/// The same for a backend, which uses it at once: where the last such capsule is still there and
/// was used, it is filled again. A new one for each array would take a third of the time of a loan,
/// most of it for its collection.
Napi::Value LendCapsule(Napi::Env env, std::unique_ptr<HeldArray> array);

}  // namespace array_interface
