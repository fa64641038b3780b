#include "objects/modules.hpp"

#include <atomic>
#include <string>

#include "interpreter/entry.hpp"
#include "interpreter/import_own.hpp"
#include "interpreter/made_once.hpp"
#include "interpreter/own_code.hpp"
#include "napi/exports.hpp"
#include "napi/failure.hpp"
#include "objects/object.hpp"
#include "objects/source.hpp"
#include "values/error.hpp"
#include "values/kind.hpp"
#include "values/shown.hpp"
#include "values/text.hpp"
#include "values/values.hpp"

namespace array_interface {

namespace {

Reference ReadText(const Napi::Value& value, const char* path) {
  if (value.IsString()) return Checked(value.Env(), TextToPython(value.Env(), value).Give());
  Throw(value.Env(), {"ERR_TYPE", path,
                      "expected a string, got " + Shown(value) + "; pass it as text", "", 0, ""});
}

/// The name under which tracebacks show code that has no file: `<exec 1>`.
Reference ReadFilename(const Napi::Value& value, const char* mode) {
  if (!value.IsUndefined()) return ReadText(value, "options.filename");
  static std::atomic<unsigned long> count{0};
  return Checked(value.Env(), Py().PyUnicode_FromFormat("<%s %lu>", mode, ++count));
}

/// Calls Python's own `compile`, which handles null characters, lone surrogates and encoding
/// declarations as Python programs expect.
Reference Compile(Napi::Env env, PyObject* source, PyObject* filename, const char* mode) {
  const Reference builtins = Checked(env, ImportOwn("builtins"));
  constexpr int kFlags = 0;
  return Checked(env, Py().PyObject_CallMethod(builtins.get(), "compile", "(OOsiO)", source,
                                               filename, mode, kFlags, Py().True));
}

/// The namespace of code that names none: `__main__`'s on the main thread, and one of its own for
/// each worker.
Reference OwnNames(Napi::Env env) {
  PyObject* const main = Py().PyImport_AddModule("__main__");
  if (main == nullptr) ThrowPending(env);
  PythonAddon& addon = PythonAddon::Of(env);
  if (addon.taught->is_main_thread) return Reference::Share(Py().PyModule_GetDict(main));
  if (addon.names_of_worker != nullptr) return Reference::Share(addon.names_of_worker->object());
  Reference names = Checked(env, Py().PyDict_New());
  const Reference name = Checked(env, Py().PyUnicode_InternFromString("__main__"));
  if (Py().PyDict_SetItemString(names.get(), "__name__", name.get()) != 0) ThrowPending(env);
  addon.names_of_worker = std::make_shared<Hold>(Reference::Share(names.get()));
  return names;
}

/// Converts an option to a dict. Null if it was left out.
Reference ReadNames(const Napi::Value& value, const char* path) {
  if (value.IsUndefined()) return {};
  Reference names = ToPython(value, ValuePath(path));
  if (HasFlag(names.get(), kDictFlag)) return names;
  Throw(value.Env(), {"ERR_TYPE", path,
                      "expected a dict of Python, a plain object or a Map, got " + Shown(value) +
                          "; pass python.dict(), or get('__dict__') of a module",
                      "", 0, ""});
}

/// Makes Python's own functions known there, as `exec` does.
void AddBuiltins(Napi::Env env, PyObject* names) {
  constexpr const char* kName = "__builtins__";
  if (Py().PyDict_GetItemString(names, kName) != nullptr) return;
  const Reference builtins = Checked(env, ImportOwn("builtins"));
  if (Py().PyDict_SetItemString(names, kName, builtins.get()) != 0) ThrowPending(env);
}

/// Runs (code, filename, globals, locals).
Reference Run(const Napi::CallbackInfo& info, const char* mode) {
  const Napi::Env env = info.Env();
  const Reference source = ReadText(info[0], "code");
  const Reference filename = ReadFilename(info[1], mode);
  Reference globals = ReadNames(info[2], "options.globals");
  const Reference locals = ReadNames(info[3], "options.locals");
  if (!globals) globals = OwnNames(env);
  AddBuiltins(env, globals.get());
  const Reference code = Compile(env, source.get(), filename.get(), mode);
  if (!KeepSource(filename.get(), source.get(), code.get())) ThrowPending(env);
  PyObject* const names = locals ? locals.get() : globals.get();
  return Checked(env, Py().PyEval_EvalCode(code.get(), globals.get(), names));
}

Napi::Value Import(const Napi::CallbackInfo& info) {
  const Entry entry(info.Env());
  const Reference name = ReadText(info[0], "name");
  return WrapObject(info.Env(), Checked(info.Env(), Py().PyImport_Import(name.get())));
}

/// A file that `sys.path` does not lead to is found under its name by a finder of ours, behind all
/// others: so `import`, `importlib.reload` and its locks work as for any module. A name that
/// something else has gets a number.
constexpr const char* kNameOf = R"(
import importlib.util, os, sys, threading

files = {}
lock = threading.RLock()

class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        file = files.get(name)
        return file and importlib.util.spec_from_file_location(name, file)

def file_of(name):
    """Where Python finds a module of this name. None if nowhere."""
    module = sys.modules.get(name)
    if module is not None: return os.path.realpath(getattr(module, '__file__', None) or '/')
    spec = importlib.util.find_spec(name)
    return spec and os.path.realpath(spec.origin or '/')

def name_of(file):
    file = os.path.realpath(file)
    stem = os.path.basename(file).split('.')[0]
    with lock:
        if Finder not in sys.meta_path: sys.meta_path.append(Finder)
        name, number = stem, 1
        while file_of(name) not in (None, file):
            number += 1
            name = f'{stem}_{number}'
        files[name] = file
    return name
)";

Napi::Value ImportFile(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const Entry entry(env);
  static MadeOnce made;
  PyObject* const name_of = made.Get([] { return OwnCode(kNameOf, "name_of"); });
  if (name_of == nullptr) ThrowPending(env);
  const Reference file = ReadText(info[0], "file");
  const Reference name =
      Checked(env, Py().PyObject_CallFunctionObjArgs(name_of, file.get(), nullptr));
  return WrapObject(env, Checked(env, Py().PyImport_Import(name.get())));
}

void Exec(const Napi::CallbackInfo& info) {
  const Entry entry(info.Env());
  const Reference nothing = Run(info, "exec");
}

Napi::Value Eval(const Napi::CallbackInfo& info) {
  const Entry entry(info.Env());
  return ToJavaScript(info.Env(), Run(info, "eval").get());
}

}  // namespace

void ExportModules(Napi::Object exports) {
  AddExports(exports, {{"import", kFunction<Import>},
                       {"importFile", kFunction<ImportFile>},
                       {"exec", kFunction<Exec>},
                       {"eval", kFunction<Eval>}});
}

}  // namespace array_interface
