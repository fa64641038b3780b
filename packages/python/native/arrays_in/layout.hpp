#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "arrays/element.hpp"
#include "arrays/held_array.hpp"

namespace array_interface {

/// An element, an address, a shape, and strides in bytes.
struct Layout {
  Element element{};
  std::uint64_t pointer = 0;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  ///< in bytes
  bool is_read_only = false;

  bool IsEmpty() const;
  /// Sets the strides of C order.
  void FillStrides();
  /// True if its strides are whole elements, as a capsule's must be.
  bool CountsElements() const;
};

/// Makes an array on `device` from a layout whose strides are whole elements. The thread must be
/// attached.
std::unique_ptr<HeldArray> HoldArray(Layout layout, DLDevice device, Reference owner);

/// True if its bytes, steps and addresses fit in 64 bits, and no element is at address 0. Core
/// checks everything that it is given; other addons may not.
bool IsPossible(const HeldArray& array);

/// Makes a capsule of it, good for one use.
Napi::Value GiveCapsule(Napi::Env env, std::unique_ptr<HeldArray> array);

/// The same for a backend, which consumes it immediately. Reuses the last such capsule, if it still
/// exists and was consumed. A new one for each array would take a third of the time of a loan, most
/// of it for garbage collection.
Napi::Value LendCapsule(Napi::Env env, std::unique_ptr<HeldArray> array);

}  // namespace array_interface
