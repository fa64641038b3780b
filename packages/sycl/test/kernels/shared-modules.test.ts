import { describe, expect, test } from 'vitest';
import { answerOf } from '../support/interposed.js';
import { twice } from './twice.kernel.js';

// Kernels of the same code: the interposer counts what the library makes and has.

const KERNELS = `
  import { defineKernel } from '@array-interface/core/kernel';
  const parameters = ${JSON.stringify(twice.parameters)};
  const spirv = Uint8Array.from(Buffer.from('${Buffer.from(twice.code.sycl.spirv).toString('base64')}', 'base64'));
  const define = (code = spirv, name = 'twice') =>
    defineKernel({ name, parameters, code: { sycl: { spirv: code } } });
  const array = (device = 0) => sycl.array(new Float32Array(100).fill(1), { device });
  const run = (kernel, at) => sycl.launch(kernel, { range: [100], group: [64] }, { at, n: 100, room: 64 });
  const first = async (at) => (await sycl.toTypedArray(at))[0];
  const bundles = () => interposer.live().bundles;
  const made = () => Number(interposer.call('Interposer_Builds'));
`;

describe('kernels of the same code', () => {
  test('are one build, launched at once and one after the other', async () => {
    const program = `${KERNELS}
      const at = await array();
      await first(at);
      await sycl.whenKernelsReady();
      const [before, madeBefore, kernelsBefore] = [bundles(), made(), interposer.live().kernels];
      const kernels = Array.from({ length: 24 }, () => define());
      await Promise.all(kernels.map((kernel) => run(kernel, at)));
      for (const kernel of kernels.slice(0, 3)) await run(kernel, at);
      const other = define(Uint8Array.from(spirv)); // the same bytes elsewhere
      await run(other, at);
      const objects = interposer.live().kernels - kernelsBefore; // of one function
      done([bundles() - before, made() - madeBefore, objects, (await first(at)) === 2 ** 28]);`;
    expect(await answerOf(program)).toEqual([1, 1, 1, true]);
  });

  test('that the compiler refuses are tried again by the next launch', async () => {
    const program = `${KERNELS}
      const at = await array();
      await first(at);
      await sycl.whenKernelsReady();
      const wrong = spirv.slice();
      wrong[6] = 99; // a module of another version
      const found = [];
      for (let times = 0; times < 2; times++) {
        const before = made();
        found.push(await codeOf(() => run(define(wrong), at)), made() - before);
      }
      await run(define(), at);
      done([...found, await first(at)]);`;
    expect(await answerOf(program)).toEqual(['ERR_KERNEL', 1, 'ERR_KERNEL', 1, 2]);
  });

  test('launched by threads at once, have arguments of their own', async () => {
    const program = `${KERNELS}
      import { Worker } from 'node:worker_threads';
      const at = await array();
      const kernel = define();
      await run(kernel, at);
      const text = \`import { sycl } from \${JSON.stringify(import.meta.resolve('@array-interface/sycl'))};
        import { defineKernel } from \${JSON.stringify(import.meta.resolve('@array-interface/core/kernel'))};
        import { parentPort, workerData } from 'node:worker_threads';
        const kernel = defineKernel(workerData);
        let wrong = 0;
        for (let round = 0; round < 20; round++) {
          const at = await sycl.array(new Float32Array(100).fill(1));
          for (let i = 0; i < 20; i++) await sycl.launch(kernel, { range: [100], group: [64] }, { at, n: 100, room: 64 });
          if ((await sycl.toTypedArray(at)).some((value) => value !== 2 ** 20)) wrong++;
          at[Symbol.dispose]();
        }
        parentPort.postMessage(wrong);\`;
      const url = new URL('data:text/javascript,' + encodeURIComponent(text));
      const workerData = { name: 'twice', parameters, code: { sycl: { spirv } } };
      const answers = Array.from({ length: 3 }, () =>
        new Promise((resolve) => new Worker(url, { workerData }).once('message', resolve)));
      done(await Promise.all(answers));`;
    expect(await answerOf(program)).toEqual([0, 0, 0]);
  });

  test('that the compiler refuses have that error, whichever requested it first', async () => {
    const program = `${KERNELS}
      const at = await array();
      await first(at);
      await sycl.whenKernelsReady();
      const wrong = spirv.slice();
      wrong[6] = 99;
      const slow = run(define(), at); // all of them ask before the compiler comes to them
      const launched = [1, 2, 3].map(() => run(define(wrong), at));
      const refusals = await Promise.allSettled(launched);
      await slow;
      done(refusals.map(({ reason }) => reason?.message.includes('a module that it rejects')));`;
    expect(await answerOf(program)).toEqual([true, true, true]);
  });

  test('have a build for each device', async () => {
    const program = `${KERNELS}
      const [one, two] = [await array(0), await array(1)];
      await Promise.all([first(one), first(two)]);
      await sycl.whenKernelsReady();
      const before = made();
      const kernels = [define(), define()];
      for (const kernel of kernels) for (const at of [one, two]) await run(kernel, at);
      done([made() - before, await first(one), await first(two)]);`;
    expect(await answerOf(program, { devices: 2 })).toEqual([2, 4, 4]);
  });

  test('lose their build with the last of them', async () => {
    const program = `${KERNELS}
      const collect = async (is) => {
        for (let times = 0; times < 500 && !is(); times++) { globalThis.gc(); await pause(5); }
        return bundles() - own;
      };
      const at = await array();
      await first(at);
      await sycl.whenKernelsReady();
      const own = bundles();
      const kept = { kernel: define() };
      await run(kept.kernel, at);
      await run(define(), at);
      await at.synchronize();
      let times = 0;
      const withOne = await collect(() => times++ > 20);
      await run(kept.kernel, at);
      await at.synchronize();
      kept.kernel = null;
      const withNone = await collect(() => bundles() === own);
      for (let times = 0; times < 10; times++) await run(define(), at);
      const again = await collect(() => bundles() === own);
      done([withOne, withNone, again, counts().modules, (await first(at)) === 2 ** 13]);`;
    expect(await answerOf(program, { flags: ['--expose-gc'] })).toEqual([1, 0, 0, 0, true]);
  });
});
