import { parentPort, workerData } from 'node:worker_threads';
import { pending } from './pending.mjs';
import { backend } from './subject.mjs';

// A worker thread that uses the backend, disposes half of what it created, and ends as it is told.
const { rounds, end } = workerData;
const values = Float32Array.from({ length: 1000 }, (_, i) => i);
const kept = [];
for (let i = 0; i < rounds; i++) {
  const queue = backend.createQueue();
  const source = await backend.array(values);
  const target = backend.empty([1000], 'float32', { queue });
  await backend.copy(target, source.flip(), { queue });
  const got = await backend.toTypedArray(target);
  if (got.some((value, k) => value !== 999 - k)) throw new Error('expected the values reversed');
  kept.push(source, target, queue);
}
for (let i = 0; i < kept.length; i += 2) kept[i][Symbol.dispose]();
if (end !== 'idle') pending(backend, kept, 5);
parentPort.postMessage('used');
if (end === 'exit') process.exit(3);
while (end === 'busy') {
  pending(backend, kept, 1);
  await new Promise((resolve) => setImmediate(resolve));
}
