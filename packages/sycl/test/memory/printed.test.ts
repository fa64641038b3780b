import { inspect } from 'node:util';
import type { OwnedArray } from '@array-interface/core';
import { type SyclArray, sycl } from '@array-interface/sycl';
import { afterEach, expect, test } from 'vitest';

// console.log shows elements only where nobody can work on them unseen: of memory that this backend
// allocated. Its twin is packages/cuda/test/memory/printed.test.ts.

const VALUES = Uint8Array.of(1, 2, 3);

let kept: Disposable[] = [];

function keep<T extends Disposable>(one: T): T {
  kept.push(one);
  return one;
}

afterEach(async () => {
  for (const one of kept.reverse()) one[Symbol.dispose]();
  kept = [];
  await sycl.synchronize();
});

async function own(memoryKind: 'host' | 'shared' | 'device'): Promise<OwnedArray<SyclArray>> {
  const array = keep(sycl.empty([VALUES.length], 'uint8', { memoryKind }));
  await sycl.copy(array, VALUES);
  return array;
}

const KINDS: readonly (readonly [string, boolean, () => Promise<SyclArray>])[] = [
  ['its own, on the host', true, () => own('host')],
  ['its own, shared', true, () => own('shared')],
  ['on the device', false, () => own('device')],
  ['a loan of its own', false, async () => keep(sycl.asArray(await own('host')))],
  [
    'a loan of its own without an owner',
    false,
    async () => {
      const array = await own('host');
      const { data, ...dict } = array.__sycl_usm_array_interface__;
      const loan = keep(
        sycl.asArray({ __sycl_usm_array_interface__: { ...dict, data: [...data] } } as never),
      );
      array[Symbol.dispose]();
      return loan;
    },
  ],
];

test.each(KINDS)('memory that is %s: shown is %s', async (_, isShown, make) => {
  const array = await make();
  await sycl.synchronize();
  const text = inspect(array);
  if (isShown) expect(text).toBe('SyclArray([1, 2, 3], dtype=uint8)');
  else expect(text).toContain('for its elements, await toText()');
});
