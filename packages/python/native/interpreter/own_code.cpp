#include "interpreter/own_code.hpp"

#include "interpreter/import_own.hpp"

namespace array_interface {

Reference OwnCode(const char* code, const char* name) {
  constexpr int kFile = 257;  // Py_file_input
  const auto compiled = Reference::Take(Py().Py_CompileString(code, "<array-interface>", kFile));
  const auto builtins = ImportOwn("builtins");
  const auto names = Reference::Take(Py().PyDict_New());
  if (!compiled || !builtins || !names) return {};
  if (Py().PyDict_SetItemString(names.get(), "__builtins__", builtins.get()) != 0) return {};
  const auto ran = Reference::Take(Py().PyEval_EvalCode(compiled.get(), names.get(), names.get()));
  if (!ran) return {};
  return Reference::Share(Py().PyDict_GetItemString(names.get(), name));
}

}  // namespace array_interface
