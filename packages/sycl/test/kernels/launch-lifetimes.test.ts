import { describe, expect, test } from 'vitest';
import { answerOf } from '../support/interposed.js';
import { runProgram } from '../support/program.js';
import { twice } from './twice.kernel.js';

// Kernels that are forgotten and whose thread ends, and launches that have not begun yet.

const KERNEL = `
  import { defineKernel } from '@array-interface/core/kernel';
  const parameters = ${JSON.stringify(twice.parameters)};
  const spirv = Uint8Array.from(Buffer.from('${Buffer.from(twice.code.sycl.spirv).toString('base64')}', 'base64'));
  const twice = () => defineKernel({ name: 'twice', parameters, code: { sycl: { spirv } } });
  const array = (device = 0) => sycl.array(new Float32Array(1000).fill(1), { device });
  const run = (at, more = {}, kernel = twice()) =>
    sycl.launch(kernel, { range: [1000], group: [64], ...more }, { at, n: 1000, room: 64 });
  const first = async (at) => (await sycl.toTypedArray(at))[0];
`;
/** What the library has of kernels; the backend's own among them. */
const COUNTS = `
  const live = () => { const { bundles, kernels } = interposer.live(); return [bundles, kernels]; };
  const collect = async () => { for (let i = 0; i < 20; i++) { globalThis.gc(); await pause(5); } };
`;
const SCHEDULES = ['eager', 'lazy', 'random:1'];

describe.each(SCHEDULES)('%s', (schedule) => {
  const options = { schedule, flags: ['--expose-gc'] };

  test('a dropped kernel is freed, and its held launches still run', async () => {
    const program = `${KERNEL}${COUNTS}
      const queue = sycl.createQueue();
      const at = await array();
      await first(at);
      await sycl.whenKernelsReady();
      await collect();
      const before = live();
      const release = hold(queue);
      await run(at, { queue });
      const during = live().map((count, i) => count - before[i]);
      await collect();
      release();
      const value = await first(at);
      await collect();
      const left = await until(() => live().join() === before.join());
      done({ during, value, left });`;
    const expected = { during: [1, 1], value: 2, left: true };
    expect(await answerOf(program, options)).toEqual(expected);
  });

  test('memory that is freed during a held launch is not reused before it', async () => {
    const program = `${KERNEL}${COUNTS}
      const queue = sycl.createQueue();
      const kernel = twice();
      const other = await array();
      await run(other, {}, kernel);
      const release = hold(queue);
      {
        const at = await array();
        await run(at, { queue }, kernel);
        at[Symbol.dispose]();
      }
      const next = await array();
      const read = first(next);
      await pause(20);
      release();
      done([await read, await first(other)]);`;
    expect(await answerOf(program, { ...options, keepsFreed: true })).toEqual([1, 2]);
  });

  test('on out-of-order queues, launches run one after the other', async () => {
    const program = `${KERNEL}
      const queue = sycl.createQueue({ inOrder: false });
      const kernel = twice();
      const at = await array();
      for (let i = 0; i < 20; i++) await run(at, { queue }, kernel);
      for (const group of [[8], [64]]) await run(at, { queue, group }, kernel);
      done(await first(at));`;
    expect(await answerOf(program, options)).toBe(2 ** 22);
  });

  test('two devices of one context: each has its own kernel, and neither works on the other’s memory', async () => {
    const program = `${KERNEL}
      const kernel = twice();
      const arrays = [await array(0), await array(1)];
      const queue = sycl.createQueue({ device: 0 });
      const refused = await codeOf(() => run(arrays[1], { queue }, kernel));
      for (const at of arrays) await run(at, {}, kernel);
      const shared = sycl.empty([1000], 'float32', { device: 1, memoryKind: 'shared' });
      await sycl.fill(shared, 3);
      await run(shared, { queue }, kernel);
      done([refused, await first(arrays[0]), await first(arrays[1]), await first(shared)]);`;
    const expected = ['ERR_ARGUMENT', 2, 2, 6];
    expect(await answerOf(program, { ...options, devices: 2 })).toEqual(expected);
  });

  test('use and recordUse: what other libraries enqueue on a held queue is in order', async () => {
    const program = `${KERNEL}
      const queue = sycl.createQueue(), other = sycl.createQueue({ inOrder: false });
      const at = await array();
      await at.synchronize();
      const fill = (handle, value) => {
        interposer.call('DPCTLEvent_Delete', interposer.call('DPCTLQueue_Memset', handle, at.pointer, BigInt(value), 4000n));
      };
      const bytes = async () => (await sycl.toTypedArray(at.view('uint8')))[5];
      const release = hold(queue);
      await sycl.use(queue, { writes: [at] }, ({ handle }) => fill(handle, 1));
      const thrown = await codeOf(() => sycl.use(other, { writes: [at] }, ({ handle }) => {
        fill(handle, 2);
        throw Object.assign(new Error('on purpose'), { code: 'PURPOSE' });
      }));
      await sycl.fill(at.view('uint8').slice([[0, 4]]), 9, { queue });
      const read = bytes();
      release();
      const after = await read;
      const releaseOther = hold(other);
      fill(other.handle, 3);
      at.recordUse(other);
      const last = bytes();
      releaseOther();
      done([thrown, after, await last]);`;
    expect(await answerOf(program, options)).toEqual(['PURPOSE', 2, 3]);
  });
});

test('a signal that aborts a launch during its build lets nothing be enqueued', async () => {
  const program = `${KERNEL}
    const at = await array();
    await first(at);
    const controller = new AbortController();
    const launched = run(at, { signal: controller.signal });
    controller.abort(Object.assign(new Error('enough'), { code: 'ENOUGH' }));
    const code = await codeOf(() => launched);
    const value = await first(at);
    await sycl.whenKernelsReady();
    at[Symbol.dispose]();
    done([code, value, await rest()]);`;
  expect(await answerOf(program)).toEqual(['ENOUGH', 1, true]);
});

test('whenKernelsReady waits for the build of a launch', async () => {
  const program = `${KERNEL}${'const bundles = () => interposer.live().bundles;'}
    const at = await array();
    await sycl.whenKernelsReady();
    const before = bundles();
    const launched = run(at);
    await sycl.whenKernelsReady();
    const built = bundles() - before;
    await launched;
    done([built, await first(at)]);`;
  expect(await answerOf(program)).toEqual([1, 2]);
});

describe('a thread that ends', () => {
  const CORE = import.meta.resolve('@array-interface/core/kernel');
  const SYCL = import.meta.resolve('@array-interface/sycl');
  /** A program of workers, which run `work` one after the other or all at once. */
  const threads = (work: string, main: string) => {
    const text = `import { sycl } from '@array-interface/sycl';
      ${KERNEL} const at = await array(); ${work}`
      .replaceAll("'@array-interface/core/kernel'", JSON.stringify(CORE))
      .replaceAll("'@array-interface/sycl'", JSON.stringify(SYCL));
    return runProgram(
      `import { Worker } from 'node:worker_threads';
      const leave = () => new Promise((resolve) => {
        const url = new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(text)}));
        const worker = new Worker(url);
        const ends = [];
        worker.on('error', (error) => ends.push(error.message));
        worker.on('exit', (code) => resolve([code, ...ends].join()));
      });
      const until = async (is) => {
        for (let i = 0; i < 2000; i++) {
          if (is()) return true;
          globalThis.gc();
          await new Promise((r) => setTimeout(r, 5));
        }
        return false;
      };
      ${main}`,
      { flags: ['--expose-gc'] },
    );
  };

  test.each([0, 10, 100])('%i ms into a build, and the next one builds as well', async (delay) => {
    const ended = await threads(
      `void run(at); void run(at); setTimeout(() => process.exit(), ${delay});`,
      `console.log(await leave(), await leave(), await Promise.all([leave(), leave()]).then(String));
      ${KERNEL}
      const at = await array();
      await run(at);
      console.log(await first(at));
      at[Symbol.dispose]();
      console.log(await until(() => liveAllocations() === 0));`,
    );
    expect(ended).toEqual({ status: 0, stderr: '', stdout: '0 0 0,0\n2\ntrue' });
  });

  test('with launches pending', async () => {
    const ended = await threads(
      `const kernel = twice(); for (let i = 0; i < 50; i++) await run(at, {}, kernel); process.exit();`,
      `sycl.devices();
      console.log(await Promise.all([leave(), leave(), leave(), leave()]).then(String));
      console.log(await until(() => liveAllocations() === 0));`,
    );
    expect(ended).toEqual({ status: 0, stderr: '', stdout: '0,0,0,0\ntrue' });
  });
});

test('a modified module ends the process, as the CPU compiler does, with a reason', async () => {
  const ended = await runProgram(
    `${KERNEL}
    const at = await array();
    const changed = Uint8Array.from(spirv);
    changed.set([255, 15], 20); // the first instruction is none
    await run(at, {}, defineKernel({ name: 'twice', parameters, code: { sycl: { spirv: changed } } }));`,
  );
  expect(ended.status).toBe(1);
  expect(ended.stderr).toContain('invalid or unknown opcode 4095');
});

test('a process may end at once during a build and with launches pending', async () => {
  const ended = await runProgram(
    `${KERNEL}
    const kernel = twice();
    const at = await array();
    await run(at, {}, kernel);
    for (let i = 0; i < 50; i++) void run(at, {}, kernel);
    void run(at);
    process.exit(5);`,
  );
  expect(ended).toEqual({ status: 5, stderr: '', stdout: '' });
});
