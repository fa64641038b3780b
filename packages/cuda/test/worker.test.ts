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
