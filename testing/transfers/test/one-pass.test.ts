import type { Backend, BackendArray, OwnedArray } from '@array-interface/core';
import type { MemoryKind } from '@array-interface/core/backend';
import { cuda } from '@array-interface/cuda';
import { host } from '@array-interface/host';
import { sycl } from '@array-interface/sycl';
import { describe, expect, test, vi } from 'vitest';
import { capture } from './capture.js';
import { valuesOf, watch } from './watched.js';

// If a queue of one side reaches the other's memory, nothing is staged, and one backend does the work.

type Place = readonly [backend: Backend, memoryKind: MemoryKind];

const pinned: Place = [cuda, 'host'];
const managed: Place = [cuda, 'shared'];
const system: Place = [host, 'pageable'];
const device: Place = [sycl, 'device'];
const shared: Place = [sycl, 'shared'];
const usmHost: Place = [sycl, 'host'];

/** Who works, whichever side it is. */
const PAIRS: readonly (readonly [Place, Place, worker: string])[] = [
  [pinned, device, 'sycl'],
  [managed, device, 'sycl'],
  [managed, usmHost, 'sycl'],
  [system, device, 'sycl'],
  [system, shared, 'sycl'],
  [system, pinned, 'host'],
  [system, managed, 'host'],
];

const nameOf = (place: Place) => `${place[0].name} ${place[1]}`;

const CASES = PAIRS.flatMap(([a, b, worker]) => [
  { from: a, to: b, worker },
  { from: b, to: a, worker },
]).map((one) => ({ ...one, name: `${nameOf(one.from)} to ${nameOf(one.to)}` }));

const VALUES = Float32Array.from({ length: 60 * 70 }, (_, i) => i);

async function filled([backend, memoryKind]: Place): Promise<OwnedArray<BackendArray>> {
  const array = backend.empty([60, 70], 'float32', { memoryKind });
  await backend.copy(array, VALUES_2D);
  return array;
}

const VALUES_2D = {
  __array_interface__: { version: 3, shape: [60, 70], typestr: '<f4', data: VALUES },
};

describe('direct copies', () => {
  test.each(CASES)('$name, contiguous', async ({ from, to, worker }) => {
    using source = await filled(from);
    using target = to[0].empty([60, 70], 'float32', { memoryKind: to[1] });
    const { staged, worked } = watch();
    await to[0].copy(target, source);
    expect({ staged, worked }).toEqual({ staged: [], worked: [worker] });
    expect(await to[0].toTypedArray(target)).toEqual(VALUES);
  });

  test.each(CASES)('$name, any layout and dtype', async ({ from, to, worker }) => {
    using source = await filled(from);
    const turned = source.flip(0).permuteDims([1, 0]);
    using target = to[0].empty([70, 120], 'float64', { memoryKind: to[1] });
    const every = target.slice([null, [0, 120, 2]]);
    await to[0].fill(target, -1);
    const { staged, worked } = watch();
    await from[0].copy(every, turned);
    expect({ staged, worked }).toEqual({ staged: [], worked: [worker] });
    const expected = new Float64Array(70 * 120).fill(-1);
    for (let i = 0; i < 70; i++)
      for (let j = 0; j < 60; j++) expected[i * 120 + 2 * j] = (59 - j) * 70 + i;
    expect(await to[0].toTypedArray(target)).toEqual(expected);
  });

  test.each(CASES)('$name, after the pending work and before the next', async ({ from, to }) => {
    using source = await filled(from);
    using target = await filled(to);
    const work = [from[0].fill(source, 5), to[0].fill(target, 6)];
    await to[0].copy(target, source);
    await Promise.all([...work, from[0].fill(source, 7)]);
    expect(valuesOf(await to[0].toTypedArray(target))).toEqual(new Set([5]));
  });
});

test('the other side’s queue may be captured meanwhile', async () => {
  using queue = cuda.createStream();
  using source = await host.array(VALUES);
  using target = cuda.empty([VALUES.length], 'float32', { memoryKind: 'host', queue });
  const { worked } = watch();
  let begun = false;
  const onProgress = () => {
    if (!begun) capture.begin(queue.handle);
    begun = true;
  };
  await cuda.copy(target, source, { chunkBytes: 4096, onProgress });
  expect(queue.isCapturing()).toBe(true);
  capture.end(queue.handle); // nothing broke it
  expect(new Set(worked)).toEqual(new Set(['host']));
  await target.synchronize();
  expect(await cuda.toTypedArray(target)).toEqual(VALUES);
});

describe('memory registered with CUDA', () => {
  test('of the host', async () => {
    const view = new Float32Array(new SharedArrayBuffer(4 * VALUES.length));
    view.set(VALUES);
    using registered = cuda.register(view);
    using array = host.asArray(view);
    using target = cuda.empty([VALUES.length], 'float32');
    const { staged, worked } = watch();
    await cuda.copy(target, array);
    await cuda.copy(array, target.flip());
    expect({ staged, worked }).toEqual({ staged: [], worked: ['cuda', 'cuda'] });
    expect(new Float32Array(view)).toEqual(VALUES.slice().reverse());
    expect(registered.disposed).toBe(false);
  });
});

describe('SYCL memory registered with CUDA', () => {
  test.each(['host', 'shared'] as const)('%s memory, whoever copies', async (memoryKind) => {
    using array = await filled([sycl, memoryKind]);
    const turned = array.permuteDims([1, 0]);
    const first = array.slice([[0, 1]]);
    using target = cuda.empty([70, 60], 'float32');
    const last = target.permuteDims([1, 0]).slice([[59, 60]]);
    {
      using registered = cuda.register(turned);
      expect(cuda.inspectPointer(array.pointer).detail).toBe('registered');
      const { staged, worked } = watch();
      await cuda.copy(target, turned);
      await sycl.copy(first, last);
      expect({ staged, worked }).toEqual({ staged: [], worked: ['cuda', 'cuda'] });
      expect(await sycl.toTypedArray(first)).toEqual(VALUES.slice(59 * 70));
      await cuda.copy(registered, target);
      await registered.synchronize();
    }
    expect(await sycl.toTypedArray(array)).toEqual(VALUES);
    await vi.waitFor(
      () => expect(cuda.inspectPointer(array.pointer).memoryKind).toBe('unknown'),
      100_000,
    );
  });

  test('memory that this process does not reach is refused', () => {
    using device = sycl.empty([4], 'uint8');
    expect(() => cuda.register(device)).toThrow('other');
    using array = host.asArray(new Uint8Array(4));
    expect(() => cuda.register(array)).toThrow('stays in place');
  });
});

describe('memory that may disappear is not used by a device in place', () => {
  test('an ArrayBuffer', async () => {
    using array = host.asArray(VALUES.slice());
    using target = sycl.empty([VALUES.length], 'float32');
    const { staged, worked } = watch();
    await sycl.copy(target, array);
    expect(staged).toHaveLength(1);
    expect(worked).toEqual(['host', 'sycl']);
    expect(await sycl.toTypedArray(target)).toEqual(VALUES);
  });

  test('memory that is only trusted to exist', async () => {
    using array = await host.array(VALUES);
    const { __array_interface__: own } = array as unknown as {
      __array_interface__: { readonly data: readonly unknown[] };
    };
    const dict = { ...own, data: [...own.data] }; // as a stranger wrote it
    using trusted = host.asArray({ __array_interface__: dict }, { bounds: 'trust' });
    using target = sycl.empty([VALUES.length], 'float32');
    const { staged } = watch();
    await sycl.copy(target, trusted);
    expect(staged).toHaveLength(1);
    expect(await sycl.toTypedArray(target)).toEqual(VALUES);
  });
});
