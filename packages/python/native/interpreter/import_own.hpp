#pragma once

#include "interpreter/reference.hpp"

namespace array_interface {

/// Imports a module for this addon itself, without calling an `__import__` that a program has
/// replaced. Empty, with Python's error set, if it cannot be imported. `name` must not be a
/// submodule.
inline Reference ImportOwn(const char* name) {
  return Reference::Take(Py().PyImport_ImportModuleLevel(name, nullptr, nullptr, nullptr, 0));
}

}  // namespace array_interface
