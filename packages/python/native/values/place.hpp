#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "napi/setup.hpp"

namespace array_interface {

/// The path of a value within the converted argument, as `[1].x`: a linked list on the conversion's
/// stack.
class ValuePath {
 public:
  /// Deeper nesting is refused, and so is a value that contains itself.
  static constexpr std::size_t kDeepest = 400;

  explicit ValuePath(const char* root = "") : root_(root) {}
  ValuePath(const ValuePath& parent, std::size_t index)
      : parent_(&parent), depth_(parent.depth_ + 1), index_(index) {}
  ValuePath(const ValuePath& parent, napi_value key)
      : parent_(&parent), depth_(parent.depth_ + 1), key_(key) {}

  bool IsTooDeep() const { return depth_ > kDeepest; }
  /// Returns only the first steps of a long path.
  std::string Text(Napi::Env env) const;

 private:
  const char* root_ = "";
  const ValuePath* parent_ = nullptr;
  std::size_t depth_ = 0;
  std::size_t index_ = 0;
  napi_value key_ = nullptr;
};

/// Throws ERR_TYPE with the path of a value.
[[noreturn]] void Refuse(Napi::Env env, const ValuePath& place, const std::string& message);

}  // namespace array_interface
