import type { BackendArray } from '@array-interface/core';
import { fromCudaArrayInterface } from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { host } from '@array-interface/host';
import { describe, expect, test } from 'vitest';
import { separate, watch } from './watched.js';

// A side with unaligned numbers, or one that overlaps the other, is copied in steps. The promise
// settles after the last.

const LENGTH = 20_000;
const NUMBERS = Int32Array.from({ length: LENGTH }, (_, i) => i - 10_000);

/** float64 fields at offset 4 of records of 12 bytes. */
function fields(records: BackendArray) {
  const data: [bigint, boolean] = [records.pointer + 4n, false];
  const dict = { version: 3, shape: [LENGTH], strides: [12], typestr: '<f8', data };
  return fromCudaArrayInterface(dict, { owner: records });
}

test.each([undefined, 10_000])('numbers at odd addresses, in chunks of %s', async (chunkBytes) => {
  using queue = cuda.createStream();
  using records = cuda.empty([LENGTH * 12], 'uint8', { queue });
  await records.synchronize();
  using source = await host.array(NUMBERS);
  const { worked } = watch();
  await cuda.copy(fields(records), source, { queue, ...(chunkBytes && { chunkBytes }) });
  expect(queue.query()).toBe(true);
  expect(worked.filter((name) => name === 'cuda').length).toBeGreaterThanOrEqual(3);
  expect(await cuda.toTypedArray(fields(records))).toEqual(Float64Array.from(NUMBERS));
});

test('numbers at odd addresses, stopped on the way', async () => {
  using queue = cuda.createStream();
  using records = cuda.empty([LENGTH * 12], 'uint8', { queue });
  await records.synchronize();
  using source = await host.array(NUMBERS);
  const controller = new AbortController();
  const copied = cuda.copy(fields(records), source, {
    queue,
    chunkBytes: 4000,
    signal: controller.signal,
    onProgress: ({ bytes }) => bytes > 8000 && controller.abort(),
  });
  await expect(copied).rejects.toThrow('abort');
  expect(queue.query()).toBe(true);
});

test('overlapping sides get the source’s numbers, and at once', async () => {
  using source = await host.array(NUMBERS);
  using registered = cuda.register(source);
  await cuda.copy(registered.slice([[1, LENGTH]]), source.slice([[0, LENGTH - 1]]));
  const start = source.descriptor.pointer; // read where it is, without asking the device
  using seen = host.asArray({
    __array_interface__: { version: 3, shape: [LENGTH], typestr: '<i4', data: [start, false] },
  });
  const expected = NUMBERS.slice();
  expected.copyWithin(1, 0, LENGTH - 1);
  expect(await host.toTypedArray(seen)).toEqual(expected);
});

describe('overlapping sides, in chunks', () => {
  const expected = NUMBERS.slice();
  expected.copyWithin(1, 0, LENGTH - 1);
  const [from, to] = [[[0, LENGTH - 1]], [[1, LENGTH]]] as const;

  test.each([
    ['in one pass', 'check', () => {}, 0],
    ['through pinned memory', 'trust', () => {}, 1],
    ['through JavaScript memory', 'check', separate, 2], // one shows that nothing is reached
  ] as const)('%s', async (_, bounds, prepare, stagings) => {
    prepare();
    const { staged } = watch();
    using whole = await host.array(NUMBERS);
    using registered = cuda.register(whole);
    const { __array_interface__: own } = whole as unknown as {
      __array_interface__: { readonly data: readonly unknown[] };
    };
    // as strangers wrote them
    const dict = { ...own, data: [...own.data] };
    using source = host.asArray({ __array_interface__: dict }, { bounds });
    const { __cuda_array_interface__: registeredDict } = registered;
    const cudaDict = { ...registeredDict, data: [...registeredDict.data] as const };
    using target = cuda.asArray({ __cuda_array_interface__: cudaDict }, { bounds });
    await cuda.copy(target.slice(to), source.slice(from), { chunkBytes: 400 });
    expect(staged).toHaveLength(stagings);
    expect(await host.toTypedArray(whole)).toEqual(expected);
  });
});
