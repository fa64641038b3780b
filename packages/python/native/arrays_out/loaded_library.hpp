#pragma once

#include <dlfcn.h>

namespace array_interface {

/// Finds a library that another part of this process has loaded, by its own name. Null if none has.
inline void* FindLoaded(const char* name) { return dlopen(name, RTLD_NOW | RTLD_NOLOAD); }

}  // namespace array_interface
