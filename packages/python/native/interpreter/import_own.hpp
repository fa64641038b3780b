#pragma once

#include "interpreter/reference.hpp"

namespace array_interface {

/// A module that we need ourselves: an `__import__` that a program has replaced is not asked. Empty
/// if it cannot be imported, with Python's error set. No submodule.
inline Reference ImportOwn(const char* name) {
  return Reference::Take(Py().PyImport_ImportModuleLevel(name, nullptr, nullptr, nullptr, 0));
}

}  // namespace array_interface
