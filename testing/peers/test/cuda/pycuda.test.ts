import type { InterfaceDict } from '@array-interface/core';
import {
  type ArrayDescriptor,
  fromCudaArrayInterface,
  makeDescriptor,
  permuteDims,
  slice,
  toCudaArrayInterface,
} from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { afterAll, describe, expect, test } from 'vitest';
import { expectLayout, type PeerLayout } from '../support/layout.js';
import { Python, pythonOf, simulator } from '../support/python.js';

process.env.ARRAY_INTERFACE_LIBCUDA = libraryPath; // before the driver is loaded, at first use

const peer = new Python('pycuda_peer', [...simulator, pythonOf('pycuda')]);
afterAll(() => peer[Symbol.asyncDispose]());

const VALUES = Float32Array.from({ length: 24 }, (_, i) => i);
const doubled = (value: number) => 2 * value + 1;

describe('PyCUDA on the simulator', () => {
  test('is on the simulator', async () => {
    expect(await peer.call('device')).toContain('simulator');
  });

  test('transfers arrays of every layout there and back', async () => {
    const same = await peer.call<Record<string, boolean>>('transferred');
    expect(Object.values(same)).toEqual(Array(8).fill(true));
  });

  test('copies and runs kernels on two streams, ordered by an event', async () => {
    expect(await peer.call('streams')).toEqual({
      pending: true,
      values: [...VALUES].map(doubled),
      done: true,
      elapsed: true,
    });
  });
});

test('core reads what the dicts of PyCUDA mean', async () => {
  const arrays =
    await peer.call<Record<string, { interface: InterfaceDict; layout: PeerLayout }>>('exported');
  expect(Object.keys(arrays)).toHaveLength(12);
  for (const [name, { interface: dict, layout }] of Object.entries(arrays)) {
    const array = fromCudaArrayInterface(dict);
    try {
      expectLayout(array, layout);
      expect(array.stream).toBeNull();
    } catch (cause) {
      throw new Error(name, { cause });
    }
  }
});

describe('memory that core describes', () => {
  const whole = async () => {
    const pointer = BigInt(await peer.call<number>('allocate', VALUES.length));
    return makeDescriptor({ pointer, shape: [4, 6], dtype: 'float32' });
  };
  const imported = (array: ArrayDescriptor) =>
    peer.call<number[][]>('imported', toCudaArrayInterface(array));

  test('is read by arrays of PyCUDA, whatever the layout', async () => {
    const array = await whole();
    const rows = [0, 6, 12, 18].map((at) => [...VALUES.subarray(at, at + 6)]);
    expect(await imported(array)).toEqual(rows);
    expect(
      await imported(
        slice(array, [
          [1, 3],
          [2, 5],
        ]),
      ),
    ).toEqual(rows.slice(1, 3).map((row) => row.slice(2, 5)));
    expect(await imported(permuteDims(array, [1, 0]))).toEqual(
      rows[0]?.map((_, i) => rows.map((row) => row[i])),
    );
  });

  test('is used by a PyCUDA kernel that gets the dict', async () => {
    const array = await whole();
    await peer.call('given', toCudaArrayInterface(slice(array, [[1, 3]])), 1);
    const expected = VALUES.map((value) => (value < 6 || value >= 18 ? value : doubled(value)));
    expect((await imported(array)).flat()).toEqual([...expected]);
  });
});

describe('tickets', () => {
  test("PyCUDA's kernels run on our array, after our pending work and one after the other", async () => {
    using array = await cuda.array(VALUES);
    const tail = array.slice([[8, 24]]);
    const ticket = cuda.share(tail);
    cuda.fill(array, 5); // pending: the simulator is lazy
    await peer.call('work_on', ticket, 1);
    await peer.call('work_on', ticket, 10);
    const expected = VALUES.map((_, i) => (i < 8 ? 5 : 2 * (2 * 5 + 1) + 10));
    expect(await cuda.toTypedArray(array)).toEqual(expected);
    await peer.call('finish');
  });

  test("our work on PyCUDA's array runs after its pending work, and PyCUDA sees the result", async () => {
    const ticket = await peer.call<Parameters<typeof cuda.openShared>[0]>('make_ticket', 24);
    {
      using array = cuda.openShared(ticket);
      expect(await cuda.toTypedArray(array)).toEqual(VALUES.map(doubled));
      cuda.fill(array, 7);
    }
    expect(await peer.call('values')).toEqual(Array(24).fill(7));
  });
});
