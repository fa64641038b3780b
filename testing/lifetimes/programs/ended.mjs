import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * Starts a worker thread with a program and its data, and returns the exit code. `end` is how it
 * ends after its first message: `busy` is terminated here, any other ends by itself. `meanwhile` is
 * called while it ends.
 */
export async function ended(file, workerData, meanwhile = () => {}) {
  const worker = new Worker(file, { workerData });
  const exit = once(worker, 'exit');
  await once(worker, 'message');
  const isGone = workerData.end === 'busy' ? worker.terminate() : null;
  await meanwhile();
  await isGone;
  const [status] = await exit;
  return status;
}
