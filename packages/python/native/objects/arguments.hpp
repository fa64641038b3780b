#pragma once

#include <cstddef>
#include <vector>

#include "interpreter/reference.hpp"
#include "napi/setup.hpp"

namespace array_interface {

/// The arguments of a call, read from a JavaScript array and an object, each undefined or null if
/// there are none. They are read before Python is entered, since reading may run JavaScript. Throws
/// ERR_TYPE.
class ReadArguments {
 public:
  ReadArguments(const Napi::Value& args, const Napi::Value& kwargs);

 private:
  friend class Arguments;
  void ReadList(const Napi::Value& args);
  void ReadNamed(const Napi::Value& kwargs);

  Napi::Env env_;
  std::vector<napi_value> positional_;
  std::vector<napi_value> names_;
  std::vector<napi_value> named_;
};

/// The same arguments in Python, preceded by the called object. The thread must be attached. Throws
/// ERR_TYPE, ERR_DISPOSED, PythonError.
class Arguments {
 public:
  Arguments(const ReadArguments& read, PyObject* object);

  PyObject* const* with_object() const { return borrowed_.data(); }
  PyObject* const* values() const { return borrowed_.data() + 1; }
  std::size_t positional() const { return positional_; }
  /// The names of the last values, a tuple. Null if none has a name.
  PyObject* names() const { return names_.get(); }

 private:
  std::size_t positional_;
  std::vector<Reference> values_;
  std::vector<PyObject*> borrowed_;
  Reference names_;
};

}  // namespace array_interface
