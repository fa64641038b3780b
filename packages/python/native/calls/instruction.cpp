#include "calls/instruction.hpp"

#include <atomic>

#include "interpreter/reference.hpp"

namespace array_interface {

namespace {

/// The code object, compiled once and never dropped: a free-threaded Python keeps the constants of
/// every code object. Null, with a Python exception set, if there is no memory.
PyObject* Code() {
  constexpr int kEval = 258;  // Py_eval_input
  static std::atomic<PyObject*> only{nullptr};
  if (PyObject* const found = only) return found;
  auto made = Reference::Take(Py().Py_CompileString("None", "<array-interface>", kEval));
  if (!made) return nullptr;
  // Another thread may have set it first.
  PyObject* expected = nullptr;
  if (only.compare_exchange_strong(expected, made.get())) return made.Give();
  return expected;
}

}  // namespace

bool RunInstruction() {
  PyObject* const code = Code();
  const auto names = Reference::Take(Py().PyDict_New());
  if (code == nullptr || !names) return false;
  return static_cast<bool>(Reference::Take(Py().PyEval_EvalCode(code, names.get(), names.get())));
}

}  // namespace array_interface
