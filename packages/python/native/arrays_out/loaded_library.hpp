#pragma once

#include <dlfcn.h>

namespace array_interface {

/// Finds a library that another part of this process has loaded, by its own name. Null if none has.
inline void* FindLoaded(const char* name) { return dlopen(name, RTLD_NOW | RTLD_NOLOAD); }

/// A function of that library. Null if there is no library, or if it has no such function.
template <class Function>
Function FindSymbol(void* library, const char* name) {
  return reinterpret_cast<Function>(library == nullptr ? nullptr : dlsym(library, name));
}

}  // namespace array_interface
