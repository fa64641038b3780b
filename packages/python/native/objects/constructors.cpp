#include "objects/constructors.hpp"

#include <string>
#include <vector>

#include "interpreter/entry.hpp"
#include "napi/argument.hpp"
#include "napi/exports.hpp"
#include "napi/failure.hpp"
#include "objects/object.hpp"
#include "objects/vectorcall.hpp"
#include "values/error.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

struct Constructor {
  const char* name;
  PyObject* Api::*type;
};

constexpr Constructor kConstructors[] = {
    {"int", &Api::PyLong_Type},    {"float", &Api::PyFloat_Type}, {"complex", &Api::PyComplex_Type},
    {"bytes", &Api::PyBytes_Type}, {"tuple", &Api::PyTuple_Type}, {"list", &Api::PyList_Type},
    {"set", &Api::PySet_Type},     {"dict", &Api::PyDict_Type},   {"slice", &Api::PySlice_Type},
};

/// The class itself, whatever a program has put in its place in `builtins`.
PyObject* ClassNamed(Napi::Env env, const std::string& name) {
  for (const Constructor& one : kConstructors) {
    if (name == one.name) return Py().*one.type;
  }
  Throw(env, {"ERR_ARGUMENT", "name",
              "expected the name of a built-in class, got \"" + name + "\"; pass int, float, …", "",
              0, ""});
}

/// construct(name, ...args): always a PyObject.
Napi::Value Construct(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const std::string name = ReadString(info[0], "name");
  const Entry entry(env);
  PyObject* const type = ClassNamed(env, name);
  std::vector<Reference> values;
  std::vector<PyObject*> borrowed;
  const ValuePath args("args");
  for (std::size_t i = 1; i < info.Length(); i++) {
    values.push_back(ToPython(info[i], ValuePath(args, i - 1)));
    borrowed.push_back(values.back().get());
  }
  return WrapObject(env, Checked(env, CallWith(type, borrowed.data(), borrowed.size())));
}

}  // namespace

void ExportConstructors(Napi::Object exports) {
  AddExports(exports, {{"construct", kFunction<Construct>}});
}

}  // namespace array_interface
