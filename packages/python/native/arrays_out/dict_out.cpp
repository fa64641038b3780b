#include "arrays_out/dict_out.hpp"

#include "arrays_out/cuda_order.hpp"
#include "arrays_out/raise.hpp"
#include "arrays_out/sycl_order.hpp"

namespace array_interface {

namespace {

constexpr int kExpression = 258;  // Py_eval_input

Reference None() { return Reference::Share(Py().None); }

Reference IntegerOf(std::int64_t value) { return Must(Py().PyLong_FromLongLong(value)); }

void Set(const Reference& dict, const char* key, const Reference& value) {
  if (Py().PyDict_SetItemString(dict.get(), key, value.get()) != 0) throw PendingInPython();
}

/// Evaluates an expression of literals.
Reference Evaluate(const std::string& expression) {
  const auto code = Must(Py().Py_CompileString(expression.c_str(), "<descr>", kExpression));
  const auto names = Must(Py().PyDict_New());
  return Must(Py().PyEval_EvalCode(code.get(), names.get(), names.get()));
}

/// `[('', typestr)]`, as NumPy has it for a plain dtype, or the fields of a record.
Reference DescrOf(const SharedArray& array) {
  if (!array.descr().empty()) return Evaluate(array.descr());
  return Must(Py().Py_BuildValue("[(ss)]", "", array.typestr().c_str()));
}

/// The entries that all three interfaces share.
Reference CommonDict(const SharedArray& array, const std::vector<std::int64_t>& strides,
                     int version) {
  auto dict = Must(Py().PyDict_New());
  Set(dict, "shape", TupleOf(array.shape()));
  Set(dict, "typestr", TextOf(array.typestr()));
  Set(dict, "descr", DescrOf(array));
  PyObject* const read_only = array.read_only() ? Py().True : Py().False;
  Set(dict, "data", Must(Py().Py_BuildValue("(KO)", array.pointer(), read_only)));
  Set(dict, "strides", array.is_c() ? None() : TupleOf(strides));
  Set(dict, "version", IntegerOf(version));
  return dict;
}

}  // namespace

Reference ArrayInterfaceOf(const SharedArray& array) {
  return CommonDict(array, array.byte_strides(), 3);
}

Reference CudaArrayInterfaceOf(const SharedArray& array) {
  auto dict = CommonDict(array, array.byte_strides(), 3);
  const auto stream = StreamToName(array.array());
  Set(dict, "stream", stream ? Must(Py().PyLong_FromUnsignedLongLong(*stream)) : None());
  Set(dict, "mask", None());
  return dict;
}

Reference SyclArrayInterfaceOf(const SharedArray& array) {
  auto dict = CommonDict(array, array.element_strides(), 1);
  Set(dict, "offset", IntegerOf(0));
  const Reference capsule = SyclObjectOf(array.array());
  if (!capsule) throw PendingInPython();
  Set(dict, "syclobj", capsule);
  return dict;
}

Reference TupleOf(const std::vector<std::int64_t>& integers) {
  auto tuple = Must(Py().PyTuple_New(static_cast<Py_ssize_t>(integers.size())));
  for (std::size_t i = 0; i < integers.size(); ++i) {
    Py().PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), IntegerOf(integers[i]).Give());
  }
  return tuple;
}

Reference Must(PyObject* made) {
  if (made == nullptr) throw PendingInPython();
  return Reference::Take(made);
}

Reference TextOf(const std::string& text) {
  return Must(Py().PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
}

}  // namespace array_interface
