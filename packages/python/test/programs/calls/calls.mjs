// Python code that calls JavaScript, for the programs of callback.test.ts.
import { isMainThread } from 'node:worker_threads';
import { python } from '../running.mjs';

if (isMainThread) {
  python.exec(`
import atexit, queue, sys, threading, time

answers = queue.SimpleQueue()
kept = {}

def hammer(f, threads):
    '''Threads that call until a call fails, each of which tells answers.'''
    def run():
        error = None
        while error is None: error = caught(f)
        answers.put(error)
    for _ in range(threads): threading.Thread(target=run, daemon=True).start()

def call(f, *args):
    return f(*args)

def caught(f, *args):
    try:
        return f(*args)
    except Exception as error:
        return type(error).__name__ + ': ' + str(error)

def started(f, *args):
    '''A thread that has begun to wait: it lets go of the lock only then. Its answer goes to answers.'''
    interval = sys.getswitchinterval()
    sys.setswitchinterval(100)
    begun = threading.Lock()
    begun.acquire()
    def run():
        begun.release()
        answers.put(caught(f, *args))
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    begun.acquire()
    sys.setswitchinterval(interval)
    return thread
`);
}
/** The main thread's names, which a worker's code has only if it says so. */
export const globals = python.import('__main__').get('__dict__');
const named = (name) => python.eval(name, { globals });

export { python };
export const call = named('call');
export const caught = named('caught');
/** Python keeps a function, as the one with this number. */
export const hammer = named('hammer');
export const keep = named('lambda f, number: kept.__setitem__(number, f)');
export const keptAt = named('kept.get');
export const started = named('started');
/** What the next of `started` got. */
export const answer = () => python.runAsync(named('answers.get'));
