#include "coroutines/loop.hpp"

#include "interpreter/made_once.hpp"
#include "interpreter/own_code.hpp"

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
  return made.Get([] { return OwnCode(kCode, "begin"); });
}

}  // namespace

Reference AwaitOnLoop(PyObject* awaitable, PyObject* done) {
  PyObject* const begin = Begin();
  if (begin == nullptr) return {};
  return Reference::Take(Py().PyObject_CallFunctionObjArgs(begin, awaitable, done, nullptr));
}

}  // namespace array_interface
