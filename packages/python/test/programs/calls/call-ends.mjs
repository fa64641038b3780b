// Ends as ARGUMENT says, with calls of JavaScript under way. The status tells whether it did.
import { call, hammer, keep, python, started } from './calls.mjs';

const run = (code, ...args) => python.runAsync(python.eval(code), args);
const never = () => new Promise(() => {});
const exit = () => process.exit(3);
const ENDS = {
  'exit in a callback': () => call.call([exit]),
  'exit in the callback of a thread': () => python.runAsync(call, [exit]),
  'exit while a thread waits': () => started.call([() => setImmediate(exit) && never()]),
  'exit while threads call on': () => {
    hammer.call([() => undefined, 4]);
    setTimeout(exit, 20);
  },
  'exit while runs go on': () => {
    run('lambda f: f() or time.sleep(1000)', () => setImmediate(exit) && 0);
    run('lambda: threading.Event().wait()');
  },
  'an error in a callback': () => {
    call.call([
      () => {
        throw new Error('mine');
      },
    ]);
  },
  'callables are kept': () => {
    keep.call([never, 0]);
    process.exitCode = 3;
  },
  'a thread has begun to wait': () => {
    started.call([() => (process.exitCode = 3)]);
  },
  'a run goes on': () => {
    run('time.sleep', 0.1).then(() => (process.exitCode = 3));
  },
  'a thread waits for a promise': () => {
    const soon = () => new Promise((resolve) => setTimeout(resolve, 50).unref());
    started.call([() => soon().then(() => (process.exitCode = 3))]);
  },
  'an exit function calls': () => {
    python.eval('atexit.register').call([() => console.log('called')]);
    process.exitCode = 3;
  },
};
ENDS[process.env.ARGUMENT]();
