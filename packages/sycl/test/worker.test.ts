import { expect, test } from 'vitest';
import { runProgram } from './program.js';

const WORK = `
  import { parentPort, workerData } from 'node:worker_threads';
  import { liveAllocations, sycl } from '@array-interface/sycl';
  const array = await sycl.array(Float32Array.from({ length: 4096 }, (_, i) => i));
  const view = array.flip();
  const target = sycl.empty([4096], 'float32');
  await sycl.copy(target, view, { queue: sycl.createQueue() });
  const got = await sycl.toTypedArray(target);
  parentPort.postMessage({ ok: got.every((one, i) => one === 4095 - i), data: workerData });
`;
const START = `
  import { writeFileSync, rmSync } from 'node:fs';
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

/** A program that starts workers with the text above, and prints what they answered. */
function program(body: string): string {
  return `${START}\nconst WORK = resolved(${JSON.stringify(WORK)});\n${body}`;
}

test('workers load, use and tear down side by side', async () => {
  const body = `console.log(JSON.stringify(await Promise.all([1, 2, 3].map(() => start(WORK)))));
    sycl.availability; console.log(sycl.availability.available);`;
  const ended = await runProgram(program(body));
  expect(ended).toMatchObject({ status: 0, stderr: '' });
  expect(ended.stdout).toBe('[[0,true],[0,true],[0,true]]\ntrue');
});

test('one after the other, without a user on the main thread', async () => {
  const body = `for (let i = 0; i < 3; i++) console.log(JSON.stringify(await start(WORK)));`;
  const ended = await runProgram(program(body));
  expect(ended).toEqual({ status: 0, stderr: '', stdout: '[0,true]\n[0,true]\n[0,true]' });
});

test('beside a user on the main thread, whose memory stays; theirs is given back', async () => {
  const body = `const mine = await sycl.array([1, 2, 3]);
    await mine.synchronize();
    for (let i = 0; i < 3; i++) await start(WORK);
    await sycl.synchronize();
    for (let i = 0; i < 100 && liveAllocations() > 1; i++) await new Promise((r) => setTimeout(r, 20));
    console.log(liveAllocations(), [...await sycl.toTypedArray(mine)].join());`;
  expect(await runProgram(program(body))).toEqual({ status: 0, stderr: '', stdout: '1 1,2,3' });
});

test('a worker that is terminated in the middle of its work', async () => {
  const body = `const worker = new Worker(new URL('data:text/javascript,' + encodeURIComponent(WORK +
      ';for (;;) { await sycl.copy(target, view); parentPort.postMessage(1); }')));
    await new Promise((resolve) => { let n = 0; worker.on('message', () => { if (++n === 5) resolve(); }); });
    console.log(await worker.terminate());
    console.log([...await sycl.toTypedArray(await sycl.array([1, 2]))].join());`;
  expect(await runProgram(program(body))).toEqual({ status: 0, stderr: '', stdout: '1\n1,2' });
});

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
  expect(await runProgram(program(body))).toEqual({
    status: 0,
    stderr: '',
    stdout: '[0,true]\n4,4,4',
  });
});
