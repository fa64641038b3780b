#include "interpreter/abi.hpp"

#include <dlfcn.h>

namespace array_interface {

namespace {

Api api;
void* library = nullptr;

template <class T>
void Find(void* library, const char* name, T& found) {
  found = reinterpret_cast<T>(dlsym(library, name));
}

template <class T>
void Need(void* library, const char* name, T& found, std::vector<std::string>& missing) {
  Find(library, name, found);
  if (found == nullptr) missing.emplace_back(name);
}

}  // namespace

LoadedLibrary LoadPython(const std::string& path) {
  library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {dlerror(), {}};
  LoadedLibrary loaded;
#define ARRAY_INTERFACE_FIND(result, name, parameters) \
  Need(library, #name, api.name, loaded.missing);
  ARRAY_INTERFACE_PYTHON_FUNCTIONS(ARRAY_INTERFACE_FIND)
#undef ARRAY_INTERFACE_FIND
#define ARRAY_INTERFACE_FIND(name) Need(library, #name, api.name, loaded.missing);
  ARRAY_INTERFACE_PYTHON_EXCEPTIONS(ARRAY_INTERFACE_FIND)
  ARRAY_INTERFACE_PYTHON_OBJECTS(ARRAY_INTERFACE_FIND)
#undef ARRAY_INTERFACE_FIND
  Need(library, "_Py_NoneStruct", api.None, loaded.missing);
  Need(library, "_Py_TrueStruct", api.True, loaded.missing);
  Need(library, "_Py_FalseStruct", api.False, loaded.missing);
  Need(library, "Py_UTF8Mode", api.UTF8Mode, loaded.missing);
  Find(library, "PyObject_Vectorcall", api.PyObject_Vectorcall);
  Find(library, "PyObject_VectorcallMethod", api.PyObject_VectorcallMethod);
  if (!loaded.missing.empty()) UnloadPython();
  return loaded;
}

void UnloadPython() {
  api = {};
  dlclose(library);
}

void KeepPython(const std::string& path) {
  dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

const Api& Py() { return api; }

}  // namespace array_interface
