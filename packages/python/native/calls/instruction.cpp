#include "calls/instruction.hpp"

#include "interpreter/made_once.hpp"
#include "interpreter/reference.hpp"

namespace array_interface {

namespace {

/// The code object, compiled once: a free-threaded Python keeps the constants of every code object.
/// Null, with a Python exception set, if there is no memory.
PyObject* Code() {
  constexpr int kEval = 258;  // Py_eval_input
  static MadeOnce made;
  return made.Get(
      [] { return Reference::Take(Py().Py_CompileString("None", "<array-interface>", kEval)); });
}

}  // namespace

bool RunInstruction() {
  PyObject* const code = Code();
  const auto names = Reference::Take(Py().PyDict_New());
  if (code == nullptr || !names) return false;
  return static_cast<bool>(Reference::Take(Py().PyEval_EvalCode(code, names.get(), names.get())));
}

}  // namespace array_interface
