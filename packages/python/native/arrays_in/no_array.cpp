#include "arrays_in/no_array.hpp"

#include <utility>

#include "values/kind.hpp"

namespace array_interface {

namespace {

struct Way {
  const char* attribute;
  const char* advice;
};

/// In the order in which they are tried: an object of h5py, xarray or PyArrow has several.
constexpr Way kWays[] = {
    {"read_direct",
     "pass object[...], or have its read_direct fill a numpy.asarray of an array of "
     "the host"},
    {"column_names", "pass one of its columns"},
    {"combine_chunks", "pass what its combine_chunks() returns, which is a copy"},
    {"to_numpy", "pass what its to_numpy() returns"},
    {"toarray", "pass what its toarray() returns, or the parts that it is made of"},
    {"__array__", "pass what numpy.asarray(object) returns, which is a copy"},
};

}  // namespace

Reference ArrayInPlace(PyObject* object) {
  if (!ClassHas(object, "__array__")) return {};
  const auto method = Reference::Take(Py().PyObject_GetAttrString(object, "__array__"));
  const auto none = Reference::Take(Py().PyTuple_New(0));
  const auto options = Reference::Take(Py().PyDict_New());
  if (!method || !none || !options ||
      Py().PyDict_SetItemString(options.get(), "copy", Py().False) != 0) {
    Py().PyErr_Clear();
    return {};
  }
  auto array = Reference::Take(Py().PyObject_Call(method.get(), none.get(), options.get()));
  if (!array) {
    Py().PyErr_Clear();  // it must copy, or is too old to say so
    return {};
  }
  const auto type = Reference::Take(Py().PyObject_Type(array.get()));
  return IsNumpyArray(type.get()) ? std::move(array) : Reference();
}

std::string WayToArray(PyObject* object) {
  for (const auto& [attribute, advice] : kWays) {
    if (ClassHas(object, attribute)) return advice;
  }
  return "check which protocol its library exports";
}

}  // namespace array_interface
