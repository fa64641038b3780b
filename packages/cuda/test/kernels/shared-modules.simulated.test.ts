import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { defineKernel } from '@array-interface/core/kernel';
import { cuda } from '@array-interface/cuda';
import { expect, test } from 'vitest';
import { childAnswer, runChild } from '../support/child.js';
import { probe } from '../support/probe.js';
import { refused } from '../support/refused.js';
import { TWICE } from '../support/twice.mjs';

// Kernels of the same code: the simulator counts what is loaded.

const loads = () => probe.calls('cuModuleLoadDataEx');
const PARAMETERS = {
  at: { write: 'float32' },
  n: 'uint32',
  room: { local: 'float32' },
} as const;

/** As a file of several kernels is: one text, in which `note` tells it from those of other tests. */
function kernelsOf(note: string, names: readonly string[]): string {
  const [head, body] = TWICE.split('.visible') as [string, string];
  const entries = names.map((name) => `.visible${body.replace('entry twice', `entry ${name}`)}`);
  return `${head}${entries.join('\n')}// ${note}\n`;
}

const define = (ptx: string | Uint8Array, name: string) =>
  defineKernel({ name, parameters: PARAMETERS, code: { cuda: { ptx } } });
const NAMES = Array.from({ length: 24 }, (_, at) => `k${at}`);

test('24 kernels of one file, all launched at once, are one build', async () => {
  const ptx = kernelsOf('one build', NAMES);
  using at = await cuda.array(Float32Array.of(1));
  await cuda.whenKernelsReady();
  const before = loads();
  const values = { at, n: 1, room: 1 };
  await Promise.all(
    NAMES.map((name) => cuda.launch(define(ptx, name), { range: [1], group: [1] }, values)),
  );
  expect(await cuda.toTypedArray(at)).toEqual(Float32Array.of(2 ** 24));
  expect(loads() - before).toBe(1);
});

test('equal bytes are one build: text, bytes and new definitions', async () => {
  const ptx = kernelsOf('the same bytes', ['k0']);
  using at = await cuda.array(Float32Array.of(1));
  await cuda.whenKernelsReady();
  const before = loads();
  const kernels = [ptx, ptx, new TextEncoder().encode(ptx)].map((code) => define(code, 'k0'));
  for (const kernel of kernels) {
    await cuda.launch(kernel, { range: [1], group: [1] }, { at, n: 1, room: 1 });
  }
  expect(loads() - before).toBe(1);
  for (const kernel of kernels) {
    await cuda.launch(kernel, { range: [1], group: [1] }, { at, n: 1, room: 1 });
  }
  expect(loads() - before).toBe(1);
  expect(await cuda.toTypedArray(at)).toEqual(Float32Array.of(2 ** 6));
});

test('each device has its own build, and so have other bytes', async () => {
  const ptx = kernelsOf('two devices', ['k0', 'k1']);
  using first = await cuda.array(Float32Array.of(1), { device: 0 });
  using second = await cuda.array(Float32Array.of(1), { device: 1 });
  await cuda.whenKernelsReady();
  const before = loads();
  const kernels = [define(ptx, 'k0'), define(ptx, 'k1'), define(`${ptx}//\n`, 'k1')];
  for (const kernel of kernels) {
    for (const at of [first, second]) {
      await cuda.launch(kernel, { range: [1], group: [1] }, { at, n: 1, room: 1 });
    }
  }
  expect(loads() - before).toBe(4);
  expect(await cuda.toTypedArray(second)).toEqual(Float32Array.of(8));
});

test('a refused build is tried once for all concurrent requests, and again for the next', async () => {
  const { status, stdout, stderr } = await runChild(
    `import { cuda } from '@array-interface/cuda';
    import { defineKernel } from '@array-interface/core/kernel';
    const ptx = ${JSON.stringify(kernelsOf('refused', NAMES).replace('ld.param.u32', 'ld.parum.u32'))};
    const define = (name) => defineKernel({ name, parameters: ${JSON.stringify(PARAMETERS)}, code: { cuda: { ptx } } });
    const at = await cuda.array(Float32Array.of(1));
    await cuda.whenKernelsReady();
    const run = (name) => cuda.launch(define(name), { range: [1], group: [1] }, { at, n: 1, room: 1 });
    process.env.SLOW_COMPILER_MS = '500';
    for (let times = 0; times < 2; times++) {
      process.stderr.write('launch\\n');
      const ends = await Promise.allSettled(${JSON.stringify(NAMES)}.map(run));
      console.log(ends.filter(({ reason }) => reason?.message.includes('parum')).length);
    }`,
    {
      ARRAY_INTERFACE_LIBCUDA: fileURLToPath(
        new URL('../../build/Release/test/slow_compiler.so', import.meta.url),
      ),
      SLOW_COMPILER_DRIVER: process.env.ARRAY_INTERFACE_LIBCUDA,
      SLOW_COMPILER_MS: '0',
    },
  );
  expect(status, stderr).toBe(0);
  expect(stdout.trim()).toBe('24\n24');
  const lines = stderr.trim().split('\n');
  const once = ['launch', 'begin other', 'end other'];
  expect(lines.slice(lines.indexOf('launch'))).toEqual([...once, ...once]);
});

test('a missing function of one kernel leaves the others their build', async () => {
  const ptx = kernelsOf('no such function', ['k0']);
  using at = await cuda.array(Float32Array.of(1));
  await cuda.whenKernelsReady();
  const before = loads();
  const values = { at, n: 1, room: 1 };
  const [good, bad] = [define(ptx, 'k0'), define(ptx, 'k9')];
  await refused(() => cuda.launch(bad, { range: [1], group: [1] }, values), 'ERR_KERNEL');
  await cuda.launch(good, { range: [1], group: [1] }, values);
  await refused(() => cuda.launch(bad, { range: [1], group: [1] }, values), 'ERR_KERNEL');
  await cuda.launch(good, { range: [1], group: [1] }, values);
  expect(await cuda.toTypedArray(at)).toEqual(Float32Array.of(4));
  expect(loads() - before).toBeLessThanOrEqual(2); // the first goes when nobody needs it
});

test('definitions of one function that ask for much and for less local memory', async () => {
  const ptx = kernelsOf('local memory', ['k0']);
  using at = await cuda.array(Float32Array.of(1));
  const [large, small] = [define(ptx, 'k0'), define(ptx, 'k0')];
  for (const [kernel, kib] of [
    [large, 96],
    [small, 64],
    [large, 96],
  ] as const) {
    await cuda.launch(kernel, { range: [1], group: [1] }, { at, n: 1, room: (kib * 1024) / 4 });
  }
  expect(await cuda.toTypedArray(at)).toEqual(Float32Array.of(8));
});

test('threads share a build', async () => {
  const ptx = kernelsOf('threads', ['k0', 'k1']);
  using at = await cuda.array(Float32Array.of(1));
  await cuda.whenKernelsReady();
  const before = loads();
  const kernel = define(ptx, 'k0');
  const values = { at, n: 1, room: 1 };
  await cuda.launch(kernel, { range: [1], group: [1] }, values);
  const program = `
    import { defineKernel } from '${import.meta.resolve('@array-interface/core/kernel')}';
    import { cuda } from '${import.meta.resolve('@array-interface/cuda')}';
    import { parentPort, workerData } from 'node:worker_threads';
    const { ptx, parameters } = workerData;
    const kernel = defineKernel({ name: 'k1', parameters, code: { cuda: { ptx } } });
    const at = await cuda.array(Float32Array.of(3));
    await cuda.launch(kernel, { range: [1], group: [1] }, { at, n: 1, room: 1 });
    parentPort.postMessage(await cuda.toTypedArray(at));`;
  const worker = new Worker(program, {
    eval: true,
    execArgv: ['--input-type=module'],
    workerData: { ptx, parameters: PARAMETERS },
  });
  const [answer] = await once(worker, 'message');
  await worker.terminate();
  await cuda.launch(kernel, { range: [1], group: [1] }, values);
  expect([answer, await cuda.toTypedArray(at)]).toEqual([Float32Array.of(6), Float32Array.of(4)]);
  expect(loads() - before).toBe(1);
});

test('the module is unloaded with the last of its kernels', async () => {
  const found = await childAnswer<unknown>(
    `import { createRequire } from 'node:module';
    import { setTimeout as pause } from 'node:timers/promises';
    import { cuda } from '@array-interface/cuda';
    import { defineKernel } from '@array-interface/core/kernel';
    import { native } from './test/support/native.mjs';
    const probe = createRequire(process.cwd() + '/')('./build/Release/test/driver_probe.node');
    const ptx = ${JSON.stringify(kernelsOf('the last', ['k0', 'k1']))};
    const define = (name) => defineKernel({ name, parameters: ${JSON.stringify(PARAMETERS)}, code: { cuda: { ptx } } });
    const collect = async (until) => {
      for (let tries = 0; tries < 500 && !until(); tries++) { globalThis.gc(); await pause(5); }
      return probe.live('modules') - own;
    };
    const at = await cuda.array(Float32Array.of(1));
    await cuda.whenKernelsReady();
    const own = probe.live('modules');
    const run = (kernel) => cuda.launch(kernel, { range: [1], group: [1] }, { at, n: 1, room: 1 });
    const kept = { kernel: define('k0') };
    await run(kept.kernel);
    await run(define('k1'));
    await at.synchronize();
    let times = 0;
    const withOne = await collect(() => times++ > 20);
    await run(kept.kernel);
    await at.synchronize();
    kept.kernel = null;
    const withNone = await collect(() => probe.live('modules') === own);
    for (let times = 0; times < 50; times++) await run(define('k1'));
    const again = await collect(() => probe.live('modules') === own);
    const { modules } = native.liveCounts();
    console.log(JSON.stringify([withOne, withNone, again, modules, (await cuda.toTypedArray(at))[0]]));`,
    {},
    ['--expose-gc'],
  );
  expect(found).toEqual([1, 0, 0, 0, 2 ** 53]);
});
