// Prints whether a thread of JavaScript's has the same state in Python in each call. ARGUMENT: the main
// thread, which started Python, or a worker.
import { setImmediate } from 'node:timers/promises';
import { isMainThread, Worker } from 'node:worker_threads';
import { python } from '../running.mjs';

if (isMainThread && process.env.ARGUMENT === 'worker') {
  new Worker(new URL(import.meta.url));
} else {
  python.exec(`
import threading
local = threading.local()
local.kept = 'mine'
thread = threading.current_thread()`);
  await setImmediate();
  console.log(
    python.eval('threading.current_thread() is thread'),
    python.eval('getattr(local, "kept", "gone")'),
  );
}
