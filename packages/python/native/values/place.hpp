#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "napi/setup.hpp"

namespace array_interface {

/// Where a value lies in what is converted, as `[1].x`. A chain on the stack of the conversion.
class ValuePath {
 public:
  /// More nesting than this is refused, and with it what contains itself.
  static constexpr std::size_t kDeepest = 400;

  explicit ValuePath(const char* root = "") : root_(root) {}
  ValuePath(const ValuePath& parent, std::size_t index)
      : parent_(&parent), depth_(parent.depth_ + 1), index_(index) {}
  ValuePath(const ValuePath& parent, napi_value key)
      : parent_(&parent), depth_(parent.depth_ + 1), key_(key) {}

  bool IsTooDeep() const { return depth_ > kDeepest; }
  /// Only the first steps of a long one.
  std::string Text(Napi::Env env) const;

 private:
  const char* root_ = "";
  const ValuePath* parent_ = nullptr;
  std::size_t depth_ = 0;
  std::size_t index_ = 0;
  napi_value key_ = nullptr;
};

}  // namespace array_interface
