import { describe, expect, test } from 'vitest';
import { answerOf } from '../support/interposed.js';

const options = { devices: 2, schedule: 'lazy' } as const;
const ARRAYS = `
  const numbers = Float32Array.from({ length: 4096 }, (_, i) => i);
  const on = (device, more = {}) => sycl.empty([64, 64], 'float32', { device, ...more });
  const values = async (array) => [...await sycl.toTypedArray(array)];
  const isRight = async (array, expected = numbers) => (await values(array)).every((value, i) => value === expected[i]);
  const a = await sycl.array(numbers, { device: 0, shape: [64, 64] });`;

describe('two devices in one context', () => {
  test('each have their own memory, which its address identifies', async () => {
    const program = `${ARRAYS}
      const b = on(1), shared = on(1, { memoryKind: 'shared' });
      const found = [a, b, shared].map(({ pointer }) => sycl.inspectPointer(pointer + 8n).device);
      const { makeDescriptor } = await import('@array-interface/core');
      const loan = sycl.asArray(makeDescriptor({ pointer: b.pointer, shape: [4], dtype: b.dtype }));
      done({ found, own: [a, b, shared].map(({ memory }) => memory.device), loan: loan.memory.device,
        isOneContext: a.memory.context.isSame(b.memory.context) });`;
    const expected = { found: [0, 1, 1], own: [0, 1, 1], loan: 1, isOneContext: true };
    expect(await answerOf(program, options)).toEqual(expected);
  });

  test('another library’s memory belongs to the device that the runtime reports', async () => {
    const program = `
      const queue = sycl.createQueue({ device: 1 });
      const pointer = interposer.call('DPCTLmalloc_device', 64n, referenceOf(queue));
      const dict = { shape: [16], typestr: '<f4', data: [pointer, false], version: 1 };
      const borrowed = ['cpu:0', 'cpu:1', sycl.createQueue(), queue].map((syclobj) =>
        sycl.asArray({ __sycl_usm_array_interface__: { ...dict, syclobj } }));
      const devices = borrowed.map(({ memory }) => memory.device);
      const right = [];
      for (const [index, array] of borrowed.entries()) {
        await sycl.fill(array, index + 1);
        right.push((await sycl.toTypedArray(array)).every((value) => value === index + 1));
        array[Symbol.dispose]();
      }
      await sycl.synchronize();
      interposer.call('DPCTLfree_with_context', pointer, sycl.context()._get_capsule().pointer);
      done({ found: devices, right });`;
    const right = [true, true, true, true];
    expect(await answerOf(program, options)).toEqual({ found: [1, 1, 1, 1], right });
  });

  test.each([
    ['no queue', '{}'],
    ['a queue of the source’s device', '{ queue: sycl.createQueue({ device: 0 }) }'],
    ['a queue of the destination’s device', '{ queue: sycl.createQueue({ device: 1 }) }'],
  ])('contiguous bytes cross directly, with %s', async (_, queue) => {
    const program = `${ARRAYS}
      const b = on(1);
      await sycl.synchronize();
      const { number } = interposer.log().at(-1);
      await sycl.copy(b, a, ${queue});
      const made = whats(interposer.log(number)).filter((what) => what === 'copy' || what === 'run' || what === 'allocate');
      done({ made, right: await isRight(b) });`;
    expect(await answerOf(program, options)).toEqual({ made: ['copy'], right: true });
  });

  test.each(['{}', '{ queue: sycl.createQueue({ device: 0 }) }'])(
    'no kernel of one works on the other’s memory, with %s',
    async (queue) => {
      const program = `${ARRAYS}
        const b = on(1), options = ${queue};
        const turned = numbers.map((_, i) => (i % 64) * 64 + Math.floor(i / 64));
        const right = [];
        await sycl.copy(b, a.transpose(), options);
        right.push(await isRight(b, turned));
        await sycl.copy(b.transpose(), a, options);
        right.push(await isRight(b, turned));
        const wide = sycl.empty([64, 64], 'float64', { device: 1 });
        await sycl.copy(wide, a, options);
        right.push(await isRight(wide));
        await sycl.copy(a.transpose(), b.transpose(), options);
        right.push(await isRight(a, turned));
        await sycl.fill(b, 3, options);
        right.push(await isRight(b, numbers.map(() => 3)));
        done(right);`;
      expect(await answerOf(program, options)).toEqual(Array(5).fill(true));
    },
  );

  test('kernels of both reach shared and host memory', async () => {
    const program = `${ARRAYS}
      const right = [];
      for (const memoryKind of ['shared', 'host']) {
        const b = on(1, { memoryKind });
        await sycl.synchronize();
        const { number } = interposer.log().at(-1);
        await sycl.copy(b.transpose(), a, { queue: sycl.createQueue({ device: 0 }) });
        right.push(whats(interposer.log(number)).filter((what) => what === 'run').length === 1);
        right.push(await isRight(b.transpose()));
      }
      done(right);`;
    expect(await answerOf(program, options)).toEqual(Array(4).fill(true));
  });

  test('a dict names a queue of the array’s device, and is borrowed there', async () => {
    const program = `${ARRAYS}
      const b = on(1);
      const loan = sycl.asArray(dictOf(b));
      done([a, b, loan].map((array) => [array.__sycl_usm_array_interface__.syclobj.device, array.memory.device]));`;
    expect(await answerOf(program, options)).toEqual([
      [0, 0],
      [1, 1],
      [1, 1],
    ]);
  });

  test('the addon refuses a kernel of one on the other’s memory before anything is enqueued', async () => {
    const program = `${ARRAYS}
      const b = on(1), queue = sycl.createQueue({ device: 0 });
      await sycl.synchronize();
      const { number } = interposer.log().at(-1);
      const { encodePlan } = await import('@array-interface/core/backend');
      const plan = (step, to, from) => encodePlan({ destination: to.pointer, source: from.pointer, unit: 4, shape: [8],
        destinationStrides: [4], sourceStrides: [4 * step], conversion: null });
      const copy = (step, to, from) => codeOf(() => native.copy(queue.native, plan(step, to, from), to.memory.native, from.memory.native));
      const codes = [await copy(2, b, a), await copy(2, a, b)];
      const made = whats(interposer.log(number));
      done({ codes, made, run: [await copy(1, b, a), await copy(2, a, a.slice([1]))] });`;
    expect(await answerOf(program, options)).toEqual({
      codes: ['ERR_NOT_ACCESSIBLE', 'ERR_NOT_ACCESSIBLE'],
      made: [],
      run: ['none', 'none'],
    });
  });
});
