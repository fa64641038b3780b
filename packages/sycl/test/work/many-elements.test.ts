import { sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';

// A runtime counts the items of one launch in 31 bits.
test('more than 2 ** 31 elements are copied one by one', async () => {
  const length = 46_342;
  using row = await sycl.array(Uint8Array.from({ length }, (_, index) => index % 251));
  const reversed = row.flip([0]);
  const rows = reversed.broadcastTo([length, length]);
  using all = sycl.empty([length, length], 'uint8');
  await sycl.copy(all, rows);
  const last = all.slice([length - 1]);
  expect(await sycl.toTypedArray(last)).toEqual(await sycl.toTypedArray(reversed));
});
