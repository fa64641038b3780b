#include "coroutines/loop.hpp"

#include "interpreter/import_own.hpp"
#include "interpreter/made_once.hpp"

namespace array_interface {

namespace {

/// The loop is made under a lock, so that threads that begin at once share one.
constexpr const char* kCode = R"(
import asyncio, threading
lock = threading.Lock()
loop = None

def run():
    asyncio.set_event_loop(loop)
    loop.run_forever()

def shared():
    global loop
    with lock:
        if loop is None:
            loop = asyncio.new_event_loop()
            threading.Thread(target=run, name='array-interface', daemon=True).start()
    return loop

async def outcome(awaitable):
    return await awaitable

def begin(awaitable, done):
    loop = shared()
    tasks = []
    def start():
        tasks.append(loop.create_task(outcome(awaitable)))
        tasks[0].add_done_callback(done)
    loop.call_soon_threadsafe(start)
    return lambda: loop.call_soon_threadsafe(lambda: tasks[0].cancel())
)";

/// The function `begin`. Null, with an exception set, if its modules cannot be imported.
PyObject* Begin() {
  static MadeOnce made;
  return made.Get([] {
    constexpr int kFile = 257;  // Py_file_input
    const auto code = Reference::Take(Py().Py_CompileString(kCode, "<array-interface>", kFile));
    const auto builtins = ImportOwn("builtins");
    const auto names = Reference::Take(Py().PyDict_New());
    if (!code || !builtins || !names) return Reference();
    if (Py().PyDict_SetItemString(names.get(), "__builtins__", builtins.get()) != 0) {
      return Reference();
    }
    const auto ran = Reference::Take(Py().PyEval_EvalCode(code.get(), names.get(), names.get()));
    if (!ran) return Reference();
    return Reference::Share(Py().PyDict_GetItemString(names.get(), "begin"));
  });
}

}  // namespace

Reference AwaitOnLoop(PyObject* awaitable, PyObject* done) {
  PyObject* const begin = Begin();
  if (begin == nullptr) return {};
  return Reference::Take(Py().PyObject_CallFunctionObjArgs(begin, awaitable, done, nullptr));
}

}  // namespace array_interface
