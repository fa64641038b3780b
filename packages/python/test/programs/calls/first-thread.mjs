// Runs the code of ARGUMENT, {"where", "code"}, in a Python that the main thread started, or a worker.
import { isMainThread, Worker } from 'node:worker_threads';

const { where, code } = JSON.parse(process.env.ARGUMENT);
if (isMainThread && where === 'worker') {
  new Worker(new URL(import.meta.url));
} else {
  const { python } = await import('../running.mjs');
  python.exec(code);
}
