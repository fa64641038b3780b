import { parentPort, workerData } from 'node:worker_threads';
import { host } from '@array-interface/host';

// Loads the addon on this thread, uses it, and leaves arrays behind for the teardown.
const left = [];
for (let i = 0; i < workerData.rounds; i++) {
  const source = await host.array(new Float32Array(1000).fill(i));
  const view = source.flip();
  const got = await host.toTypedArray(view);
  if (got.some((value) => value !== i)) throw new Error(`expected ${i} everywhere`);
  if (i % 2 === 0) left.push(source, view);
}
try {
  host.asArray({
    __array_interface__: { version: 3, typestr: '|u1', shape: [1], data: [1n, false] },
  });
} catch (error) {
  parentPort.postMessage({ code: error.code, left: left.length });
}
while (workerData.forever) await host.array(new Uint8Array(4096));
