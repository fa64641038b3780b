import { inspect } from 'node:util';
import type { OwnedArray } from '@array-interface/core';
import { type CudaArray, cuda } from '@array-interface/cuda';
import { afterEach, expect, test } from 'vitest';
import { probe } from '../support/probe.js';
import { foreignProducer } from '../support/producer.js';

// console.log shows elements only where nobody can work on them unseen: of memory that this backend allocated
// and whose consumers are told of its order. Its twin is packages/sycl/test/memory/printed.test.ts.

const VALUES = Uint8Array.of(1, 2, 3);
const BYTES = VALUES.length;

let kept: Disposable[] = [];

function keep<T extends Disposable>(one: T): T {
  kept.push(one);
  return one;
}

afterEach(async () => {
  for (const one of kept.reverse()) one[Symbol.dispose]();
  kept = [];
  await cuda.synchronize();
});

async function pinned(options = {}): Promise<OwnedArray<CudaArray>> {
  const array = keep(cuda.empty([BYTES], 'uint8', { memoryKind: 'host', ...options }));
  await cuda.copy(array, VALUES);
  return array;
}

/** Pinned memory of another library, which needs not be freed while it is lent. */
function strangers(): CudaArray {
  probe.makeCurrent(0);
  const pointer = probe.allocateHost(BYTES);
  keep({ [Symbol.dispose]: () => probe.freeHost(pointer) });
  const data = [pointer, false] as const;
  const dict = { shape: [BYTES], typestr: '|u1', data, strides: null, version: 3 };
  return keep(cuda.asArray({ __cuda_array_interface__: dict } as never));
}

const KINDS: readonly (readonly [string, boolean, () => CudaArray | Promise<CudaArray>])[] = [
  ['its own', true, () => pinned()],
  ['its own, of a stream', true, () => pinned({ queue: keep(cuda.createStream()) })],
  ['its own, whose dicts block', true, () => pinned({ exportStream: 'block' })],
  ['its own, whose consumers are told of no order', false, () => pinned({ exportStream: 'none' })],
  ['a loan of its own', false, async () => keep(cuda.asArray(await pinned()))],
  [
    'a loan of its own without an owner',
    false,
    async () => {
      const array = await pinned();
      const loan = keep(cuda.asArray(foreignProducer(array, null)));
      array[Symbol.dispose]();
      return loan;
    },
  ],
  ['registered', false, () => keep(cuda.register(new Uint8Array(new SharedArrayBuffer(BYTES))))],
  ['another library’s', false, strangers],
  ['on the device', false, async () => keep(await cuda.array(VALUES))],
];

test.each(KINDS)('memory that is %s: shown is %s', async (_, isShown, make) => {
  const array = await make();
  await cuda.synchronize();
  const text = inspect(array);
  if (isShown) expect(text).toBe('CudaArray([1, 2, 3], dtype=uint8)');
  else expect(text).toContain('for its elements, await toText()');
});
