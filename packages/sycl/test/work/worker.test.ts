import { expect, test } from 'vitest';
import { runProgram } from '../support/program.js';

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

test('eight workers share one queue, and their results are complete', async () => {
  const text = `import { parentPort, workerData } from 'node:worker_threads';
    import { sycl } from '@array-interface/sycl';
    const { index, rounds, capsule, dict } = workerData;
    sycl.devices();
    const queue = sycl.asQueue({ ...capsule });
    const shared = sycl.asArray({ __sycl_usm_array_interface__: { ...dict, syclobj: capsule } });
    const mine = shared.slice([index]);
    for (let round = 0; round < rounds; round++) {
      const made = await sycl.array(new Int32Array(1000).fill(round), { queue });
      await sycl.copy(mine, made.flip(), { queue });
      const [got] = await sycl.toTypedArray(mine);
      if (got !== round) throw new Error('expected ' + round + ', got ' + got);
      made[Symbol.dispose]();
    }
    await sycl.fill(mine, index, { queue });
    await queue.synchronize();
    queue[Symbol.dispose]();
    parentPort.postMessage({ ok: true });`;
  const body = `const queue = sycl.createQueue({ inOrder: false });
    const array = sycl.empty([8, 1000], 'int32', { queue });
    const { syclobj, ...dict } = array.__sycl_usm_array_interface__;
    const { name, pointer } = queue._get_capsule();
    const run = (index) => start(resolved(${JSON.stringify(text)}),
      { index, rounds: 20, capsule: { name, pointer }, dict });
    console.log(JSON.stringify(await Promise.all(Array.from({ length: 8 }, (_, i) => run(i)))));
    const got = await sycl.toTypedArray(array, { queue });
    console.log(got.findIndex((value, i) => value !== Math.floor(i / 1000)));
    for (let i = 0; i < 5000 && liveAllocations() > 1; i++) await new Promise((r) => setTimeout(r, 20));
    console.log(liveAllocations());`;
  expect(await runProgram(`${START}\n${body}`)).toEqual({
    status: 0,
    stderr: '',
    stdout: `${JSON.stringify(Array(8).fill([0, true]))}\n-1\n1`,
  });
});

test('the only thread may end during a build, and the next one copies as well', async () => {
  const text = `import { parentPort, workerData } from 'node:worker_threads';
    import { sycl } from '@array-interface/sycl';
    const source = await sycl.array(new Uint16Array(2 ** 19).map((_, i) => i));
    const target = sycl.empty([2 ** 18], 'uint16');
    await sycl.copy(target, source.slice([[0, 2 ** 19, 2]]));
    if (workerData.isLast) await sycl.whenKernelsReady();
    await sycl.copy(target, source.slice([[1, 2 ** 19, 2]]));
    const got = await sycl.toTypedArray(target);
    parentPort.postMessage({ ok: got.every((value, i) => value === ((2 * i + 1) & 0xffff)) });`;
  const body = `for (const isLast of [false, false, true]) {
      console.log(JSON.stringify(await start(resolved(${JSON.stringify(text)}), { isLast })));
    }`;
  // only workers, which leave one after the other
  const program = `${START}\n${body}`;
  expect(await runProgram(program)).toEqual({
    status: 0,
    stderr: '',
    stdout: '[0,true]\n[0,true]\n[0,true]',
  });
});
