import { describe, expect, test } from 'vitest';
import { childAnswer } from '../support/child.js';

const START = `
  import { Worker } from 'node:worker_threads';
  import { once } from 'node:events';
  const start = (code) => new Worker("import { parentPort } from 'node:worker_threads';" +
    "import { cuda, liveAllocations } from '@array-interface/cuda';" + code,
    { eval: true, execArgv: ['--input-type=module'] });
`;

describe('worker threads', () => {
  test('a stream created by one thread is used by another', async () => {
    const answer = await childAnswer<number[]>(
      `${START}
      import { cuda } from '@array-interface/cuda';
      const stream = cuda.createStream();
      const array = cuda.empty([4], 'uint8', { queue: stream });
      cuda.fill(array, 7);
      const { __cuda_array_interface__: dict } = array;
      const worker = start(\`
        parentPort.once('message', async (dict) => {
          const loan = cuda.asArray({ __cuda_array_interface__: dict });
          parentPort.postMessage([...await cuda.toTypedArray(loan)]);
        });\`);
      worker.postMessage(dict);
      const [answer] = await once(worker, 'message');
      console.log(JSON.stringify(answer));
      await worker.terminate();`,
    );
    expect(answer).toEqual([7, 7, 7, 7]);
  });

  test('work on a loan in a thread is known to the lender in another', async () => {
    const answer = await childAnswer<number[]>(
      `${START}
      import { createRequire } from 'node:module';
      import { cuda } from '@array-interface/cuda';
      const array = cuda.empty([4], 'uint8');
      await cuda.fill(array, 7);
      await array.synchronize();
      const worker = start(\`
        import { createRequire } from 'node:module';
        const probe = createRequire(process.cwd() + '/')('./build/Release/test/driver_probe.node');
        let release;
        parentPort.on('message', async (dict) => {
          if (dict === 'go on') return release();
          const loan = cuda.asArray({ __cuda_array_interface__: { ...dict, stream: null } });
          const stream = cuda.createStream();
          probe.makeCurrent(0);
          release = probe.hold(stream.handle);
          await cuda.fill(loan, 9, { queue: stream });
          loan[Symbol.dispose]();
          parentPort.postMessage('enqueued');
        });\`);
      worker.postMessage(array.__cuda_array_interface__);
      await once(worker, 'message');
      const queue = cuda.createStream();
      const values = cuda.toTypedArray(array, { queue });
      worker.postMessage('go on');
      console.log(JSON.stringify([...await values]));
      await worker.terminate();`,
    );
    expect(answer).toEqual([9, 9, 9, 9]);
  });

  test('memory that a thread registered is unregistered before the thread has ended', async () => {
    const answer = await childAnswer<[string, number]>(
      `${START}
      import { cuda, liveAllocations } from '@array-interface/cuda';
      const buffer = new SharedArrayBuffer(4096);
      const worker = start(\`
        parentPort.once('message', async (buffer) => {
          const array = cuda.register(new Uint8Array(buffer));
          await cuda.fill(array, 3);
          globalThis.kept = [array, cuda.asArray(array)];
          parentPort.postMessage('registered');
        });\`);
      worker.postMessage(buffer);
      const [registered] = await once(worker, 'message');
      await worker.terminate();
      cuda.register(new Uint8Array(buffer))[Symbol.dispose](); // not registered any more
      for (let i = 0; i < 10_000 && liveAllocations() > 0; i++) await new Promise((r) => setTimeout(r, 10));
      console.log(JSON.stringify([registered, liveAllocations()]));`,
    );
    expect(answer).toEqual(['registered', 0]);
  });

  test('memory that a thread registered is not lent once the thread ends, although work there goes on', async () => {
    const found = await childAnswer<string[]>(
      `${START}
      import { createRequire } from 'node:module';
      import { setTimeout as pause } from 'node:timers/promises';
      import { cuda } from '@array-interface/cuda';
      const probe = createRequire(process.cwd() + '/')('./build/Release/test/driver_probe.node');
      const stream = cuda.createStream();
      await cuda.whenKernelsReady();
      probe.makeCurrent(0);
      const release = probe.hold(stream.handle);
      const worker = start(\`
        parentPort.once('message', async ({ buffer, handle }) => {
          globalThis.kept = cuda.register(new Uint8Array(buffer));
          await cuda.fill(kept, 3, { queue: cuda.stream(handle) });
          parentPort.postMessage(kept.__cuda_array_interface__);
          setInterval(() => {}, 1000); // it goes on until it is terminated
        });\`);
      worker.postMessage({ buffer: new SharedArrayBuffer(4096), handle: stream.handle });
      const [dict] = await once(worker, 'message');
      const lend = () => {
        try {
          cuda.asArray({ __cuda_array_interface__: { ...dict, stream: null } })[Symbol.dispose]();
          return 'lent';
        } catch ({ message }) {
          return message.split(', ')[0];
        }
      };
      const found = [lend()];
      const ended = worker.terminate();
      for (let i = 0; i < 1000 && lend() === 'lent'; i++) await pause(10);
      found.push(lend());
      release();
      await ended;
      console.log(JSON.stringify(found));`,
    );
    expect(found).toEqual(['lent', '[ERR_POINTER_UNKNOWN] data[0]: expected live memory']);
  });
});
