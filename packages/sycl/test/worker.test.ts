import { expect, test } from 'vitest';
import { runProgram } from './program.js';

const START = `
  import { Worker } from 'node:worker_threads';
  const start = (text, workerData) => new Promise((resolve, reject) => {
    const worker = new Worker(new URL('data:text/javascript,' + encodeURIComponent(text)), { workerData });
    let answer;
    worker.on('message', (message) => { answer = message; });
    worker.on('error', reject);
    worker.on('exit', (code) => resolve([code, answer?.ok]));
  });
  const resolved = (text) => text.replaceAll("'@array-interface/sycl'",
    JSON.stringify(import.meta.resolve('@array-interface/sycl')));
`;

test('a capsule leads to the queue in another thread', async () => {
  const text = `import { parentPort, workerData } from 'node:worker_threads';
    import { sycl } from '@array-interface/sycl';
    sycl.devices();
    const borrowed = sycl.asArray({ __sycl_usm_array_interface__: workerData });
    await sycl.fill(borrowed, 4);
    await borrowed.synchronize();
    parentPort.postMessage({ ok: borrowed.__sycl_usm_array_interface__.syclobj.device === 0 });`;
  const body = `const queue = sycl.createQueue();
    const array = sycl.empty([3], 'float32', { queue });
    const dict = { ...array.__sycl_usm_array_interface__ };
    const { name, pointer } = queue._get_capsule();
    console.log(JSON.stringify(await start(resolved(${JSON.stringify(text)}),
      { ...dict, syclobj: { name, pointer } })));
    console.log([...await sycl.toTypedArray(array)].join());`;
  expect(await runProgram(`${START}\n${body}`)).toEqual({
    status: 0,
    stderr: '',
    stdout: '[0,true]\n4,4,4',
  });
});
