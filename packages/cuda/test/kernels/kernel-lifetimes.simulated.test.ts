import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { childAnswer, runChild } from '../support/child.js';

// Kernels that fault, that are dropped, and whose thread ends. Each runs in a process of its own, in which
// nothing else loads and unloads modules, except for the two of this library's copies.

const OWN_MODULES = 2;

const START = `
  import { createRequire } from 'node:module';
  import { setTimeout as pause } from 'node:timers/promises';
  import { cuda, liveAllocations } from '@array-interface/cuda';
  import { twice } from './test/support/twice.mjs';
  const probe = createRequire(process.cwd() + '/')('./build/Release/test/driver_probe.node');
  // of the simulator, also where the driver is another library in front of it
  const ask = (question) => {
    const { ARRAY_INTERFACE_LIBCUDA: driver, SLOW_COMPILER_DRIVER: simulator = driver } = process.env;
    process.env.ARRAY_INTERFACE_LIBCUDA = simulator;
    try {
      return question();
    } finally {
      process.env.ARRAY_INTERFACE_LIBCUDA = driver;
    }
  };
  const unloads = () => ask(() => probe.calls('cuModuleUnload'));
  const modules = () => ask(() => probe.live('modules'));
  const until = async (is) => {
    for (let tries = 0; tries < 2000; tries++) {
      if (is()) return true;
      globalThis.gc?.();
      await pause(5);
    }
    return false;
  };
  // The driver has let go of a module before the call ends that is counted.
  const areUnloaded = (count) =>
    until(() => modules() === ${OWN_MODULES} && unloads() === count);
  const array = () => cuda.array(new Float32Array(1000).fill(1));
  const run = (at, more = {}) =>
    cuda.launch(twice(), { range: [1000], group: [256], ...more }, { at, n: 1000, room: 256 });
`;
const GC = ['--expose-gc'];

/** A driver whose compiler takes its time. */
const slow = (milliseconds: number) => ({
  ARRAY_INTERFACE_LIBCUDA: fileURLToPath(
    new URL('../../build/Release/test/slow_compiler.so', import.meta.url),
  ),
  SLOW_COMPILER_DRIVER: process.env.ARRAY_INTERFACE_LIBCUDA,
  SLOW_COMPILER_MS: String(milliseconds),
});

test.each(['lazy', 'eager'])(
  'a kernel that faults: waits and later work report it, %s',
  async (schedule) => {
    const { status, signal, stdout, stderr } = await runChild(
      `${START}
    const at = await array();
    await cuda.synchronize();
    const found = [];
    const messages = [];
    const note = async (work) => {
      try {
        await work();
        found.push('none');
      } catch ({ code, driverCode, message }) {
        found.push(code + ' ' + driverCode);
        messages.push(message);
      }
    };
    const values = { at, n: 2 ** 24, room: 256 };
    await note(() => cuda.launch(twice(), { range: [2 ** 24], group: [256] }, values));
    await note(() => cuda.toTypedArray(at));
    await note(() => at.synchronize());
    await note(() => cuda.fill(at, 1));
    await note(() => cuda.launch(twice(), { range: [1000], group: [256] }, { at, n: 1000, room: 256 }));
    await note(() => cuda.use(cuda.createStream(), { writes: [at] }, () => {}));
    await note(() => cuda.empty([4], 'float32'));
    await cuda.whenKernelsReady();
    const other = await cuda.array(Float32Array.of(1, 2), { device: 1 });
    await cuda.launch(twice(), { range: [2], group: [256] }, { at: other, n: 2, room: 256 });
    found.push(...await cuda.toTypedArray(other));
    at[Symbol.dispose]();
    console.log(JSON.stringify({ found, messages }));
    process.exitCode = 7;`,
      { CUDA_SIMULATOR_KERNEL_STEPS: undefined, CUDA_SIMULATOR_SCHEDULE: schedule },
    );
    expect({ status, signal }).toEqual({ status: 7, signal: null });
    // The simulator says where: on stderr once, and in every error.
    const place = /^cuda-simulator: CUDA_ERROR_ILLEGAL_ADDRESS: (kernel 'twice', .*)\n$/.exec(
      stderr,
    );
    expect(place, stderr).not.toBeNull();
    const { found, messages } = JSON.parse(stdout);
    expect(messages).toEqual(
      Array(6).fill(
        expect.stringContaining(`(an illegal memory access was encountered: ${place?.[1]});`),
      ),
    );
    const broken = 'ERR_CUDA CUDA_ERROR_ILLEGAL_ADDRESS';
    // A launch whose kernel has faulted before the call returns says so itself; the array then has no
    // work that it could wait for.
    const late = ['none', ...Array(6).fill(broken), 2, 4];
    const early = [broken, broken, 'none', ...Array(4).fill(broken), 2, 4];
    expect(schedule === 'lazy' ? [late] : [late, early]).toContainEqual(found);
  },
);

describe('a module', () => {
  test.each(['lazy', 'eager', 'random:1'])(
    'is unloaded when its kernel is dropped and its launches have ended, %s',
    async (schedule) => {
      const found = await childAnswer<unknown>(
        `${START}
        const at = await array();
        const stream = cuda.createStream();
        await cuda.fill(at, 1, { queue: stream });
        await cuda.whenKernelsReady();
        await at.synchronize();
        const before = unloads();
        probe.makeCurrent(0);
        const release = probe.hold(stream.handle);
        await run(at, { queue: stream });
        for (let i = 0; i < 20; i++) { globalThis.gc(); await pause(5); }
        const held = [modules(), unloads() - before];
        release();
        const [value] = await cuda.toTypedArray(at);
        console.log(JSON.stringify({ held, value, isGone: await areUnloaded(before + 1) }));`,
        { CUDA_SIMULATOR_SCHEDULE: schedule },
        GC,
      );
      const held = [OWN_MODULES + 1, 0];
      expect(found).toEqual({ held, value: 2, isGone: true });
    },
  );

  test('stays while its kernel is referenced', async () => {
    const found = await childAnswer<unknown>(
      `${START}
      const at = await array();
      const kernel = twice();
      const values = { at, n: 1000, room: 256 };
      await cuda.launch(kernel, { range: [1000], group: [256] }, values);
      await at.synchronize();
      for (let i = 0; i < 20; i++) { globalThis.gc(); await pause(5); }
      await cuda.launch(kernel, { range: [1000], group: [256] }, values);
      const [value] = await cuda.toTypedArray(at);
      console.log(JSON.stringify([modules(), unloads(), value]));`,
      {},
      GC,
    );
    expect(found).toEqual([OWN_MODULES + 1, 0, 4]);
  });

  test('is unloaded if its function is refused', async () => {
    const found = await childAnswer<unknown>(
      `${START}
      import { defineKernel } from '@array-interface/core/kernel';
      const at = await array();
      for (let i = 0; i < 5; i++) {
        const { parameters, code } = twice();
        const kernel = defineKernel({ name: 'another', parameters, code });
        await cuda.launch(kernel, { range: [1], group: [1] }, { at, n: 1, room: 0 }).catch(() => {});
      }
      console.log(JSON.stringify(await areUnloaded(5)));`,
      {},
      GC,
    );
    expect(found).toBe(true);
  });

  test('is unloaded in a process that creates many', async () => {
    const found = await childAnswer<number[]>(
      `${START}
      const at = await cuda.array(Float32Array.of(1));
      for (let i = 0; i < 100; i++) {
        await cuda.launch(twice(), { range: [1], group: [1] }, { at, n: 1, room: 1 });
        if (i % 10 === 0) globalThis.gc();
      }
      const [value] = await cuda.toTypedArray(at);
      at[Symbol.dispose]();
      console.log(JSON.stringify([value, await areUnloaded(100), liveAllocations()]));`,
      {},
      GC,
    );
    expect(found).toEqual([2 ** 100, true, 0]);
  });
});

test('whenKernelsReady waits for the build of a launch', async () => {
  const { status, stderr } = await runChild(
    `${START}
    const at = await array();
    await cuda.whenKernelsReady();
    process.stderr.write('launch\\n');
    process.env.SLOW_COMPILER_MS = '500';
    const launched = run(at);
    await cuda.whenKernelsReady();
    process.stderr.write('built\\n');
    await launched;`,
    slow(0),
  );
  expect(status, stderr).toBe(0);
  const lines = stderr.trim().split('\n');
  expect(lines.slice(lines.indexOf('launch'))).toEqual([
    'launch',
    'begin other',
    'end other',
    'built',
  ]);
});

test('a signal that aborts a launch during its build lets nothing be enqueued', async () => {
  const found = await childAnswer<unknown>(
    `${START}
    const at = await array();
    await cuda.whenKernelsReady();
    process.env.SLOW_COMPILER_MS = '200';
    const controller = new AbortController();
    const launched = run(at, { signal: controller.signal });
    controller.abort(new Error('enough'));
    const reason = await launched.then(() => 'none', ({ message }) => message);
    const [value] = await cuda.toTypedArray(at);
    at[Symbol.dispose]();
    await until(() => liveAllocations() === 0);
    console.log(JSON.stringify([reason, value, liveAllocations()]));`,
    slow(0),
  );
  expect(found).toEqual(['enough', 1, 0]);
});

describe('a thread that ends', () => {
  const WORK = `
    import { parentPort } from 'node:worker_threads';
    ${START}
    const at = await array();
  `;
  const threads = (main: string, work: string, env: Record<string, string | undefined> = {}) =>
    childAnswer<unknown>(
      `import { once } from 'node:events';
      import { Worker } from 'node:worker_threads';
      ${START}
      const options = { eval: true, execArgv: ['--input-type=module'] };
      const start = () => new Worker(${JSON.stringify(WORK + work)}, options);
      const leave = async () => {
        const worker = start();
        const errors = [];
        worker.on('error', (error) => errors.push(error.message));
        const [code] = await once(worker, 'exit');
        return [code, ...errors];
      };
      ${main}`,
      env,
      GC,
    );
  const LEFT = `
    await until(() => liveAllocations() === 0 && modules() <= ${OWN_MODULES});
    const left = [liveAllocations(), modules()];`;

  test.each([0, 20, 100])('%i ms into a build', async (delay) => {
    const found = await threads(
      `cuda.devices();
      const ends = [];
      for (let i = 0; i < 3; i++) ends.push(await leave());
      ${LEFT}
      const at = await array();
      await run(at);
      console.log(JSON.stringify({ ends, left, value: (await cuda.toTypedArray(at))[0] }));`,
      `await cuda.whenKernelsReady();
      process.env.SLOW_COMPILER_MS = '50';
      void run(at);
      setTimeout(() => process.exit(), ${delay});`,
      slow(30),
    );
    expect(found).toEqual({ ends: Array(3).fill([0]), left: [0, OWN_MODULES], value: 2 });
  });

  test.each(['lazy', 'eager'])('with launches pending, %s', async (schedule) => {
    const found = await threads(
      `cuda.devices();
      const ends = await Promise.all([leave(), leave(), leave(), leave()]);
      ${LEFT}
      console.log(JSON.stringify({ ends, left }));`,
      `const kernel = twice();
      const values = { at, n: 1000, room: 256 };
      for (let i = 0; i < 50; i++) await cuda.launch(kernel, { range: [1000], group: [256] }, values);
      process.exit();`,
      { CUDA_SIMULATOR_SCHEDULE: schedule },
    );
    expect(found).toEqual({ ends: Array(4).fill([0]), left: [0, OWN_MODULES] });
  });

  test('that is the only one, before its builds begin: the next thread has them built', async () => {
    // Only workers use the backend, one after the other.
    const found = await childAnswer<unknown>(
      `import { once } from 'node:events';
      import { Worker } from 'node:worker_threads';
      const options = { eval: true, execArgv: ['--input-type=module'] };
      const work = ${JSON.stringify(
        `${WORK}
        process.env.SLOW_COMPILER_MS = '50';
        const all = [1, 2, 3, 4, 5].map(() => run(at));
        if (process.env.LAST === undefined) process.exit();
        await Promise.all(all);
        parentPort.postMessage((await cuda.toTypedArray(at))[0]);`,
      )};
      const [first] = await once(new Worker(work, options), 'exit');
      process.env.LAST = '1';
      const worker = new Worker(work, { ...options, env: { ...process.env } });
      const [[value], [last]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
      console.log(JSON.stringify([first, value, last]));`,
      slow(30),
    );
    expect(found).toEqual([0, 32, 0]);
  });

  test('in the middle of use: the stream has waited, and others go on', async () => {
    const found = await threads(
      `cuda.devices();
      const end = await leave();
      ${LEFT}
      console.log(JSON.stringify([end, left]));`,
      `const stream = cuda.createStream();
      void cuda.use(stream, { writes: [at] }, () => new Promise(() => {}));
      setTimeout(() => process.exit(), 20);`,
    );
    expect(found).toEqual([[0], [0, OWN_MODULES]]);
  });
});
