import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

// Terminates a worker in the middle of a copy to or from memory of another backend: WHAT LOADED. LOADED
// names the packages in the order in which the worker loads them. The main thread uses SYCL, too, and
// continues.
const COUNT = 4096;
const SHAPE = [COUNT, COUNT];

/** Each copies between our memory and a guest's until it is terminated, and calls `begun` while it runs. */
const COPIES = {
  async system({ host, sycl }, begun) {
    await passes(sycl, host.empty(SHAPE, 'float32'), begun);
  },
  async pinned({ cuda, sycl }, begun) {
    await passes(sycl, cuda.empty(SHAPE, 'float32', { memoryKind: 'host' }), begun);
  },
  async registered({ cuda, host }, begun) {
    const registered = cuda.register(host.empty(SHAPE, 'float32'));
    const source = cuda.empty([COUNT], 'float32');
    for (let copied = cuda.copy(registered, source); ; copied = cuda.copy(registered, source)) {
      begun();
      await copied;
    }
  },
};

/** Copies in parts. When one is done, the next has begun. */
async function passes(sycl, guest, begun) {
  const source = sycl.empty(SHAPE, 'float32');
  const turned = source.permuteDims([1, 0]);
  for (;;) await sycl.copy(guest, turned, { chunkBytes: 2 ** 24, onProgress: begun });
}

if (isMainThread) {
  const [what, loaded] = process.argv.slice(2);
  const { sycl } = await import('@array-interface/sycl');
  const mine = await sycl.array(Float32Array.of(1, 2, 3));
  const worker = new Worker(new URL(import.meta.url), { workerData: { what, loaded } });
  await once(worker, 'message');
  const status = await worker.terminate();
  console.log(JSON.stringify({ status, values: [...(await sycl.toTypedArray(mine))] }));
} else {
  const backends = {};
  for (const name of workerData.loaded.split(',')) {
    backends[name] = (await import(`@array-interface/${name}`))[name];
    backends[name].devices();
  }
  await COPIES[workerData.what](backends, () => parentPort.postMessage('begun'));
}
