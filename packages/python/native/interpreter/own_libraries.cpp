#include "interpreter/own_libraries.hpp"

#include <dlfcn.h>

#include "interpreter/own_code.hpp"

namespace array_interface {

namespace {

/// The loader's flag is set for these modules alone: libraries of C++ that share objects with
/// others, as standard streams, do not bear it. Nor does a library that something else loaded
/// before (as LLVM loads libz): its own calls reach Node's functions already, and one call to it
/// from outside would mix the state of two versions.
constexpr const char* kCode = R"(
import sys
from _frozen_importlib_external import ExtensionFileLoader, PathFinder

DEEPBIND = 8
MODULES = {'_ssl', '_hashlib', 'zlib'}
LIBRARIES = {b'/libssl.so', b'/libcrypto.so', b'/libz.so'}
own = set()

def loaded():
    try:
        with open('/proc/self/maps', 'rb') as maps: files = maps.read()
    except OSError: return LIBRARIES
    return {name for name in LIBRARIES if name in files}

class Loader(ExtensionFileLoader):
    def create_module(self, spec):
        if not loaded() <= own: return super().create_module(spec)
        flags = sys.getdlopenflags()
        sys.setdlopenflags(flags | DEEPBIND)
        try: return super().create_module(spec)
        finally:
            sys.setdlopenflags(flags)
            own.update(loaded())

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name not in MODULES: return None
        spec = PathFinder.find_spec(name, path)
        if spec is not None and type(spec.loader) is ExtensionFileLoader:
            spec.loader = Loader(spec.loader.name, spec.loader.path)
        return spec

def use_own():
    sys.meta_path.insert(0, Finder)
    import zlib  # before other libraries load libz
)";

bool HasSanitizer() {
  return dlsym(RTLD_DEFAULT, "__asan_init") != nullptr ||
         dlsym(RTLD_DEFAULT, "__tsan_init") != nullptr;
}

}  // namespace

void UseOwnLibraries() {
  if (HasSanitizer()) return;
  const Reference use_own = OwnCode(kCode, "use_own");
  const Reference done =
      Reference::Take(use_own ? Py().PyObject_CallNoArgs(use_own.get()) : nullptr);
  if (!done) Py().PyErr_Clear();  // as without a zlib
}

}  // namespace array_interface
