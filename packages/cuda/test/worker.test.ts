import { describe, expect, test } from 'vitest';
import { childAnswer } from './child.js';

const START = `
  import { Worker } from 'node:worker_threads';
  import { once } from 'node:events';
  const start = (code) => new Worker("import { parentPort } from 'node:worker_threads';" +
    "import { cuda, liveAllocations } from '@array-interface/cuda';" + code,
    { eval: true, execArgv: ['--input-type=module'] });
`;

describe('worker threads', () => {
  test('load, use and tear down, one after the other and together', async () => {
    const answers = await childAnswer<number[]>(
      `${START}
      const run = async () => {
        const worker = start(\`
          const array = await cuda.array(Float32Array.from({ length: 100 }, (_, i) => i));
          const flipped = cuda.empty([100], 'float32');
          await cuda.copy(flipped, array.flip());
          parentPort.postMessage((await cuda.toTypedArray(flipped))[0]);\`);
        const [[answer], [status]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
        return [answer, status];
      };
      const answers = [];
      for (let i = 0; i < 3; i++) answers.push(...await run());
      answers.push(...(await Promise.all([run(), run(), run()])).flat());
      console.log(JSON.stringify(answers));`,
    );
    expect(answers).toEqual(Array(6).fill([99, 0]).flat());
  });

  test('what a worker leaves behind is given back with it, work pending or not', async () => {
    const answer = await childAnswer<{ during: number; after: number }>(
      `${START}
      import { liveAllocations } from '@array-interface/cuda';
      const leave = async () => {
        const worker = start(\`
          globalThis.keep = [];
          for (let i = 0; i < 10; i++) {
            const array = cuda.empty([100, 3], 'float32', { queue: cuda.createStream() });
            cuda.fill(array, i);
            array.synchronize().catch(() => {});
            keep.push(array);
          }
          parentPort.postMessage(liveAllocations());\`);
        const [during] = await once(worker, 'message');
        await worker.terminate();
        return { during, after: liveAllocations() };
      };
      liveAllocations();
      await leave();
      console.log(JSON.stringify(await leave()));`,
    );
    expect(answer.during).toBeGreaterThanOrEqual(10);
    expect(answer.after).toBe(0);
  });

  test('a stream made by one thread is used by another', async () => {
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
});
