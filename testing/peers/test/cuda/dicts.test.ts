import type { InterfaceDict } from '@array-interface/core';
import {
  type ArrayDescriptor,
  fromCudaArrayInterface,
  makeDescriptor,
  toCudaArrayInterface,
} from '@array-interface/core';
import { replace } from '@array-interface/core/backend';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { expectLayout, type PeerLayout } from '../support/layout.js';
import { Python, pythonOf, simulator } from '../support/python.js';
import { apply, randomViews } from '../support/random-views.js';

const peer = new Python('cuda_peer', [...simulator, pythonOf('cuda')]);
afterAll(() => peer[Symbol.asyncDispose]());

interface NumbaArray {
  readonly layout: PeerLayout;
  /** In C order; null if Numba cannot copy them. */
  readonly values: readonly number[] | null;
  readonly stream: number | bigint | null;
}

const BYTES = Uint8Array.from({ length: 8192 }, (_, i) => (i * 37 + (i >> 8)) % 251);
let block: Promise<bigint> | undefined;

/** Device memory of the peer's process that holds BYTES. */
function memory(): Promise<bigint> {
  block ??= peer.call<number>('allocate', [...BYTES]).then(BigInt);
  return block;
}

/** The array's elements, one byte each, in C order. */
function valuesIn(array: ArrayDescriptor, start: bigint): number[] {
  let places = array.size === 0 ? [] : [Number(array.pointer - start)];
  for (const [axis, length] of array.shape.entries()) {
    const stride = array.byteStrides[axis] as number;
    places = places.flatMap((at) => Array.from({ length }, (_, i) => at + i * stride));
  }
  return places.map((place) => BYTES[place] as number);
}

test('the peers run on the simulator, without a linker of their own', async () => {
  const { device, nvjitlink } = await peer.call<{ device: string; nvjitlink: string[] }>(
    'environment',
  );
  expect(device).toContain('simulator');
  expect(nvjitlink).toEqual([]);
});

describe('dicts that Numba makes', () => {
  test('core reads what they mean', async () => {
    const { arrays, stream } = await peer.call<{
      arrays: Record<string, { interface: InterfaceDict; layout: PeerLayout }>;
      stream: number;
    }>('exported');
    expect(Object.keys(arrays)).toHaveLength(14);
    for (const [name, { interface: dict, layout }] of Object.entries(arrays)) {
      const array = fromCudaArrayInterface(dict);
      try {
        expectLayout(array, layout);
        expect(array.stream).toBe(name === 'on a stream' ? BigInt(stream) : null);
      } catch (cause) {
        throw new Error(name, { cause });
      }
    }
  });
});

describe('dicts that core makes', () => {
  const settings = random(300);
  const views = randomViews.map(({ shape, steps }) => ({ shape, steps }));
  const some = async ({ shape, steps }: { shape: readonly number[]; steps: readonly never[] }) => {
    const start = await memory();
    return {
      start,
      array: steps.reduce(apply, makeDescriptor({ pointer: start, shape, dtype: 'uint8' })),
    };
  };

  test.each(['as_cuda_array', 'from_cuda_array_interface'])(
    `are taken by Numba's %s, with their elements, seed ${settings.seed}`,
    async (how) => {
      let copied = 0;
      const property = fc.asyncProperty(views, async (one) => {
        const { start, array } = await some(one as never);
        const dict = toCudaArrayInterface(array);
        const numba = await peer.call<NumbaArray>('numba_array', dict, how);
        expectLayout(array, numba.layout);
        expect(numba.stream).toBeNull();
        if (numba.values === null) return;
        expect(numba.values).toEqual(valuesIn(array, start));
        copied++;
      });
      await fc.assert(property, settings);
      expect(copied).toBeGreaterThan(settings.numRuns / 4);
    },
  );

  test('hand their stream to Numba', async () => {
    const start = await memory();
    const stream = BigInt(await peer.call<number>('stream'));
    for (const named of [stream, 1n, 2n]) {
      const array = makeDescriptor({ pointer: start, shape: [4], dtype: 'uint8', stream: named });
      const dict = toCudaArrayInterface(array);
      const numba = await peer.call<NumbaArray>('numba_array', dict, 'as_cuda_array');
      expect(BigInt(numba.stream ?? 0)).toBe(named);
    }
  });

  test(`are taken by cuda.core, seed ${settings.seed}`, async () => {
    const consumer = await peer.call<number>('stream');
    const producer = BigInt(await peer.call<number>('stream'));
    const property = fc.asyncProperty(views, fc.boolean(), async (one, readOnly) => {
      const { array } = await some(one as never);
      const shared = replace(array, { readOnly, stream: producer });
      expectLayout(shared, await peer.call('core_view', toCudaArrayInterface(shared), consumer));
    });
    await fc.assert(property, settings);
  });
});
