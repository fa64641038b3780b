#include "objects/primitive.hpp"

#include <array>

#include "copies/refusal.hpp"
#include "interpreter/import_own.hpp"
#include "napi/exports.hpp"
#include "objects/object.hpp"
#include "objects/vectorcall.hpp"
#include "objects/wrapped.hpp"
#include "values/error.hpp"
#include "values/kind.hpp"
#include "values/names.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

/// The value of a bool, an int, a float or a str. Empty for None, bytes and other objects.
Napi::Value Scalar(Napi::Env env, PyObject* object, Kind kind) {
  const bool is_scalar = kind != Kind::kOther && kind != Kind::kBytes;
  const bool is_bool = object == Py().True || object == Py().False;
  return is_scalar || is_bool ? PlainToJavaScript(env, object, kind) : Napi::Value();
}

/// The element of an array or scalar that has a shape, and no axes in it. Null for other objects.
Reference OnlyElement(Napi::Env env, PyObject* object) {
  const Reference shape = IfPresent(env, Py().PyObject_GetAttrString(object, "shape"));
  if (!shape || !HasFlag(shape.get(), kTupleFlag) || Py().PyTuple_Size(shape.get()) != 0) return {};
  if (!ClassHas(object, "item") || HasDatesOfNumpy(env, object)) return {};
  return Checked(env, Py().PyObject_CallMethod(object, "item", nullptr));
}

/// primitive(object): the number or text of an object that is exactly one.
Napi::Value Primitive(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const EnteredObject self(info[0]);
  Napi::Value value = Scalar(env, self.get(), BaseKindOf(self.get()));
  if (!value.IsEmpty()) return value;
  const Reference element = OnlyElement(env, self.get());
  if (element) value = Scalar(env, element.get(), KindOf(element.get()));
  if (!value.IsEmpty()) return value;
  Refuse(env, ValuePath(),
         "expected a number or a text, got an object of the class " + ClassName(self.get()) +
             "; use add, lt, …, Number(python.float(object)), or String(object)");
}

/// operate(name, object, other): a function of Python's module `operator`, of one or two operands.
Napi::Value Operate(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const EnteredObject self(info[1]);
  const Reference name = NameToPython(info[0]);
  const Reference module = Checked(env, ImportOwn("_operator"));
  const Reference function = Checked(env, Py().PyObject_GetAttr(module.get(), name.get()));
  const bool is_binary = info.Length() > 2;
  const Reference other = is_binary ? ToPython(info[2], ValuePath("other")) : Reference();
  const std::array<PyObject*, 2> operands{self.get(), other.get()};
  const Reference result =
      Checked(env, CallWith(function.get(), operands.data(), is_binary ? 2 : 1));
  return ToJavaScript(env, result.get());
}

}  // namespace

void ExportPrimitive(Napi::Object exports) {
  AddExports(exports, {{"primitive", kFunction<Primitive>}, {"operate", kFunction<Operate>}});
}

}  // namespace array_interface
