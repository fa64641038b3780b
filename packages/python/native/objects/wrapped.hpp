#pragma once

#include <memory>

#include "interpreter/entry.hpp"
#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// Like UnwrapObject, but throws ERR_TYPE for any other value. `path` is the argument's.
std::shared_ptr<Hold> NeedObject(const Napi::Value& value, const char* path = "");

/// A PyObject that a function got, with the thread attached for its use. Throws as NeedObject and
/// Entry do.
class EnteredObject {
 public:
  explicit EnteredObject(const Napi::Value& value, const char* path = "")
      : hold_(NeedObject(value, path)), entry_(value.Env()) {}

  PyObject* get() const { return hold_->object(); }

 private:
  const std::shared_ptr<Hold> hold_;
  const Entry entry_;
};

/// Drops a PyObject's reference. False if it was disposed already, or if the value is no PyObject.
bool DropObject(const Napi::Value& value);

}  // namespace array_interface
