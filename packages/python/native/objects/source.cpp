#include "objects/source.hpp"

#include "interpreter/made_once.hpp"
#include "interpreter/own_code.hpp"

namespace array_interface {

namespace {

/// Functions outlive the code that defined them, so each code object within is watched. Without a
/// time, `linecache` takes an entry for valid.
constexpr const char* kCode = R"(
import linecache, weakref

watched = {}

def codes(code):
    yield code
    for one in code.co_consts:
        if isinstance(one, type(code)): yield from codes(one)

def keep(filename, text, code):
    entry = len(text), None, [line + '\n' for line in text.split('\n')], filename
    left = 0
    def forget(_):
        nonlocal left
        left -= 1
        if left: return
        watched.pop(id(entry), None)
        if linecache.cache.get(filename) is entry: del linecache.cache[filename]
    references = [weakref.ref(one, forget) for one in codes(code)]
    left = len(references)
    watched[id(entry)] = references
    linecache.cache[filename] = entry
)";

}  // namespace

bool KeepSource(PyObject* filename, PyObject* text, PyObject* code) {
  static MadeOnce made;
  PyObject* const keep = made.Get([] { return OwnCode(kCode, "keep"); });
  if (keep == nullptr) return false;
  return static_cast<bool>(
      Reference::Take(Py().PyObject_CallFunctionObjArgs(keep, filename, text, code, nullptr)));
}

}  // namespace array_interface
