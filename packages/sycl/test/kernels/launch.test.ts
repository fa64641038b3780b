import { defineKernel, type Parameters } from '@array-interface/core/kernel';
import { type SyclArray, type SyclContext, type SyclQueue, sycl } from '@array-interface/sycl';
import { describe, expect, test } from 'vitest';
import { runtime } from '../../src/driver/runtime.js';
import { dpctl, OtherQueue } from '../support/other-library.js';
import { refused } from '../support/refused.js';
import { climb as climbRows, twice as twiceRows } from './twice.kernel.js';

// What launches on SYCL have of their own; the contract has the rest.

const LENGTH = 1000;
const { spirv } = twiceRows.code.sycl;
/** The same words in the other byte order. */
const swapped = (bytes: Uint8Array) => bytes.map((_, at) => bytes[at ^ 3] as number);
const values = () => Float32Array.from({ length: LENGTH }, (_, i) => i);
const doubled = values().map((value) => 2 * value);

const twice = defineKernel(twiceRows);
const climb = defineKernel(climbRows);
const twiceOf = (code: object, parameters: Parameters = twiceRows.parameters) =>
  defineKernel({ name: 'twice', parameters, code: { sycl: code as { spirv: Uint8Array } } });

interface RunOptions {
  readonly room?: number;
  readonly group?: readonly number[];
  readonly queue?: SyclQueue;
}

const STEPS = 20_000;

/** Doubles the values with a kernel. */
async function run(kernel = twice, { room = 64, queue, group = [64] }: RunOptions = {}) {
  using at = await sycl.array(values(), { ...(queue && { queue }) });
  const grid = { range: [LENGTH], group, ...(queue && { queue }) };
  await sycl.launch(kernel, grid, { at, n: LENGTH, room } as never);
  return await sycl.toTypedArray(at);
}

describe('SPIR-V', () => {
  test('may be a part of a larger buffer, and is read before launch returns', async () => {
    const larger = new Uint8Array(spirv.byteLength + 100).fill(7);
    const part = larger.subarray(3, 3 + spirv.byteLength);
    part.set(spirv);
    using at = await sycl.array(values());
    const launched = sycl.launch(twiceOf({ spirv: part }), { range: [LENGTH], group: [64] }, {
      ...{ at, n: LENGTH, room: 64 },
    } as never);
    larger.fill(0);
    await launched;
    expect(await sycl.toTypedArray(at)).toEqual(doubled);
  });

  test('may name another function than the kernel', async () => {
    const kernel = defineKernel({
      name: 'double',
      parameters: twiceRows.parameters,
      code: { sycl: { spirv, function: 'twice' } },
    });
    expect(await run(kernel as never)).toEqual(doubled);
  });

  test.each<[string, object, Parameters, string]>([
    [
      'a module of another version',
      { spirv: spirv.with(6, 99) },
      twiceRows.parameters,
      'a module that it rejects',
    ],
    [
      'no such function',
      { spirv, function: 'thrice' },
      twiceRows.parameters,
      "a function 'thrice'",
    ],
    [
      'one parameter too many',
      { spirv },
      { ...twiceRows.parameters, more: 'uint8' },
      'whose parameter 3 has 1 bytes, got fewer parameters',
    ],
    [
      'one parameter too few',
      { spirv },
      { at: { write: 'float32' }, n: 'uint32' },
      'a function of 2 parameters, got one with more',
    ],
    [
      'strides that it does not take',
      { spirv },
      { ...twiceRows.parameters, at: { write: 'float32', strides: 1 } },
      'whose parameter 1 has 8 bytes, got one of 4 bytes',
    ],
  ])('%s is refused, every time', async (_, code, parameters, message) => {
    const kernel = twiceOf(code, parameters);
    using at = await sycl.array(values());
    const given = { at, n: LENGTH, room: 64, more: 1 };
    const named = Object.keys(parameters).map((name) => [name, given[name as keyof typeof given]]);
    const grid = { range: [LENGTH], group: [64] };
    for (let times = 0; times < 2; times++) {
      const launch = () => sycl.launch(kernel, grid, Object.fromEntries(named));
      const error = await refused('ERR_KERNEL', launch);
      expect(error.path).toBe('code.sycl');
      expect(error.message).toContain(message);
    }
    expect(await sycl.toTypedArray(at)).toEqual(values());
  });

  // The runtime would read as many values as the function has, however many were passed.
  test('is compared with the kernel’s parameters by the addon, too', async () => {
    const native = runtime();
    const { handle: contextDevice } = native.contextDevice(0);
    const [ARRAY, UINT32, LOCAL] = [10, 5, 11];
    const build = (...types: number[]) =>
      native.kernelLoaded(
        native.loadKernel(
          contextDevice,
          spirv,
          'twice',
          new Uint8Array(Uint32Array.from(types).buffer),
        ),
      );
    await build(ARRAY, UINT32, LOCAL);
    for (const types of [
      [ARRAY, UINT32],
      [ARRAY, UINT32, LOCAL, UINT32],
    ]) {
      const { path, message } = await refused('ERR_KERNEL', () => build(...types));
      expect([path, message]).toEqual(['code.sycl', expect.stringContaining('of 3')]);
    }
  });

  test.each<[string, object, string]>([
    ['in text', { spirv: 'text' }, 'code.sycl.spirv'],
    ['of no bytes', { spirv: new Uint8Array() }, 'code.sycl.spirv'],
    ['of three bytes', { spirv: spirv.slice(0, 3) }, 'code.sycl.spirv'],
    [
      'that is source',
      { spirv: new TextEncoder().encode('kernel void twice() {}') },
      'code.sycl.spirv',
    ],
    ['in the other byte order', { spirv: swapped(spirv) }, 'code.sycl.spirv'],
    ['that is not there', {}, 'code.sycl'],
    ['without a name', { spirv, function: '' }, 'code.sycl.function'],
  ])('%s is refused', async (_, code, path) => {
    const error = await refused('ERR_KERNEL', () => run(twiceOf(code) as never));
    expect(error.path).toBe(path);
  });
});

describe('groups and local memory', () => {
  test.each([1, 7, 32, 64, 100])('groups of %i', async (size) => {
    expect(await run(twice, { room: size, group: [size] })).toEqual(doubled);
  });

  test.each([2 ** 18, 2 ** 24, 2 ** 30 - 1])(
    '%i floats of it are refused, and the kernel stays usable',
    async (room) => {
      const launch = () => run(twice, { room });
      const { path, message } = await refused('ERR_ARGUMENT', launch);
      expect(path).toBe('room');
      expect(message).toContain(
        `bytes of local memory for a group of 'twice' on this device, got ${4 * room};`,
      );
      expect(await run()).toEqual(doubled);
    },
  );

  test.each([2 ** 30, 2 ** 32 - 1])(
    '%i floats of it are more than can be counted',
    async (room) => {
      const { path } = await refused('ERR_OVERFLOW', () => run(twice, { room }));
      expect(path).toBe('room');
      expect(await run()).toEqual(doubled);
    },
  );

  test('groups that the device does not have are refused, and the kernel stays usable', async () => {
    const { path, reason } = await refused('ERR_ARGUMENT', () => run(twice, { group: [2 ** 20] }));
    expect([path, reason]).toEqual(['group', expect.stringMatching(/^expected at most \d+ items/)]);
    expect(await run()).toEqual(doubled);
  });
});

describe('queues', () => {
  const rise = (at: SyclArray, queue: SyclQueue) =>
    sycl.launch(climb, { range: [64], queue }, { at, steps: STEPS });

  test.each([true, false])(
    'in order: %s; each launch runs after the previous one',
    async (inOrder) => {
      using queue = sycl.createQueue({ inOrder });
      using at = sycl.empty([64], 'int32', { queue });
      await sycl.fill(at, 0);
      for (let i = 0; i < 10; i++) await rise(at, queue);
      await sycl.fill(at.slice([[0, 32]]), -1, { queue });
      await rise(at, queue);
      const expected = new Int32Array(64).fill(11 * STEPS).fill(STEPS - 1, 0, 32);
      expect(await sycl.toTypedArray(at, { queue })).toEqual(expected);
    },
  );

  function parts(): readonly [SyclContext, SyclContext] {
    const [one, other] = sycl.divide(0, 1);
    if (one === undefined || other === undefined)
      throw new Error('the device has one compute unit');
    return [one, other];
  }

  test('of parts of a device run kernels only on memory of their own context', async () => {
    const [one, other] = parts();
    using near = sycl.createQueue({ context: one });
    using far = sycl.createQueue({ context: other });
    using at = await sycl.array(values(), { queue: near });
    const given = { at, n: LENGTH, room: 64 };
    const error = await refused('ERR_ARGUMENT', () =>
      sycl.launch(twice, { range: [LENGTH], group: [64], queue: far }, given),
    );
    expect(error.path).toBe('queue');
    await refused('ERR_ARGUMENT', () =>
      sycl.use(far, { writes: [at] }, () => expect.unreachable()),
    );
    await sycl.launch(twice, { range: [LENGTH], group: [64], queue: near }, given);
    expect(await sycl.toTypedArray(at)).toEqual(doubled);
    expect(await run(twice, { queue: far })).toEqual(doubled);
  });

  test('of another library run kernels, in its order', async () => {
    using other = new OtherQueue(true);
    const pointer = other.allocate(4 * 64);
    using queue = sycl.asQueue({
      _get_capsule: () => ({ name: 'SyclQueueRef', pointer: other.queue }),
    });
    const dict = {
      shape: [64],
      typestr: '<i4',
      data: [pointer, false],
      version: 1,
      syclobj: queue,
    };
    const loan = sycl.asArray({ __sycl_usm_array_interface__: dict as never });
    for (let i = 0; i < 5; i++) await rise(loan, queue);
    expect(await sycl.toTypedArray(loan)).toEqual(new Int32Array(64).fill(5 * STEPS));
    loan[Symbol.dispose]();
    await queue.synchronize();
  });
});

describe('what other libraries do with handles', () => {
  test('a queue’s handle leads to its device, which is the one that devices() lists', async () => {
    using queue = sycl.createQueue();
    const { handle } = sycl.devices()[queue.device] ?? expect.unreachable();
    expect(handle).not.toBe(0n);
    const device = dpctl('Queue_GetDevice', queue.handle);
    expect(dpctl('Device_AreEq', device, handle) & 0xffn).toBe(1n);
    dpctl('Device_Delete', device);
  });

  test.each([true, false])(
    'use: they enqueue between our earlier and later work; in order: %s',
    async (inOrder) => {
      using queue = sycl.createQueue({ inOrder });
      using elsewhere = sycl.createQueue();
      using at = sycl.empty([64], 'int32', { queue: elsewhere });
      await sycl.fill(at, 0, { queue: elsewhere });
      await sycl.launch(climb, { range: [64], queue: elsewhere }, { at, steps: 10 * STEPS });
      using copied = sycl.empty([64], 'int32');
      await sycl.use(queue, { reads: [at], writes: [copied] }, ({ handle }) => {
        dpctl('Event_Delete', dpctl('Queue_Memcpy', handle, copied.pointer, at.pointer, 256n));
      });
      await sycl.fill(at, -1, { queue: elsewhere });
      expect(await sycl.toTypedArray(copied)).toEqual(new Int32Array(64).fill(10 * STEPS));
      expect(await sycl.toTypedArray(at)).toEqual(new Int32Array(64).fill(-1));
    },
  );

  test('recordUse: their work comes before our next work', async () => {
    using queue = sycl.createQueue();
    using other = new OtherQueue(false);
    using theirs = sycl.asQueue({
      _get_capsule: () => ({ name: 'SyclQueueRef', pointer: other.queue }),
    });
    using large = await sycl.array(new Uint8Array(2 ** 24).fill(5));
    using target = sycl.empty([2 ** 24], 'uint8', { queue });
    await sycl.synchronize();
    await Promise.all([large.synchronize(), target.synchronize()]);
    for (let i = 0; i < 4; i++) other.copy(target.pointer, large.pointer, 2 ** 24);
    target.recordUse(theirs);
    await sycl.fill(target.slice([[2 ** 24 - 16, 2 ** 24]]), 6, { queue });
    expect((await sycl.toTypedArray(target)).subarray(-17)).toEqual(
      new Uint8Array(17).fill(6).fill(5, 0, 1),
    );
  });
});
