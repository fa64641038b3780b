// Calls without an end, in the main thread or in a worker (ARGUMENT), where Python has no limit that
// comes before JavaScript's. Prints the error, and that both sides go on.
import { isMainThread, Worker } from 'node:worker_threads';
import { call, caught, python } from './calls.mjs';

function run() {
  python.exec('import sys; sys.setrecursionlimit(1_000_000)');
  const down = () => call.call([down]);
  try {
    down();
  } catch (error) {
    console.log(error.name);
  }
  const raise = () => call.call([raise]);
  console.log(caught.call([raise]));
  console.log(call.call([() => 'goes on']));
}

if (isMainThread && process.env.ARGUMENT === 'worker') new Worker(new URL(import.meta.url));
else run();
