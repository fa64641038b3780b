import type { Backend, BackendArray } from '@array-interface/core';
import { cuda, liveAllocations as onCuda } from '@array-interface/cuda';
import { elementwise, reduction } from '@array-interface/expressions';
import { host, liveAllocations as onHost } from '@array-interface/host';
import { liveAllocations as onSycl, sycl } from '@array-interface/sycl';
import { describe, expect, test, vi } from 'vitest';

const backends: readonly [string, Backend, () => number][] = [
  ['the host', host, onHost],
  ['the simulator', cuda, onCuda],
  ['SYCL', sycl, onSycl],
];

const signature = { inputs: { a: 'T', x: 'T' }, outputs: { y: 'T' } } as const;
const newScale = () => elementwise('scale', signature, 'y = a * x');
const newSum = () =>
  reduction('scaledSum', signature, { map: 'a * x', reduce: 'a + b', identity: 0, post: 'y = a' });

/** Numbers whose imaginary parts are 0. */
async function realParts(backend: Backend, array: BackendArray): Promise<number[]> {
  const parts = [...((await backend.toTypedArray(array)) as Float32Array)];
  return array.dtype.kind === 'c' ? parts.filter((_, index) => index % 2 === 0) : parts;
}

const REVERSED = [null, null, -1] as const;

// Calls whose arrays lie alike share all but addresses and numbers.
describe.each(backends)('calls with other arrays of the same layouts on %s', (_, backend, live) => {
  test.each(['float64', 'float16', 'complex64'] as const)(
    'have their own %s numbers and arrays, also while code is built',
    async (dtype) => {
      const before = live();
      {
        using rows = await backend.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], { dtype }); // biome-ignore format: rows
        using queue = backend.createQueue();
        const [scale, sum] = [newScale(), newSum()];
        for (const options of [{}, { queue }, {}, { queue }]) {
          // Its code is not built yet, so all that follows waits for it.
          const first = newScale()(backend, { a: 1, x: rows }, { ...options, out: { y: rows } });
          const calls = [0, 1, 2, 0, 1].map(async (row, call) => {
            const x = rows.slice([row, REVERSED]);
            const given = { a: call + 1, x };
            return await Promise.all([
              scale(backend, given, options),
              sum(backend, given, options),
            ]);
          });
          const found: (readonly number[][])[] = [];
          for (const call of calls) {
            const [one, other] = await call;
            using scaled = one.y;
            using total = other.y;
            found.push([await realParts(backend, scaled), await realParts(backend, total)]);
          }
          await first;
          expect(found).toEqual([
            [[3, 2, 1], [6]],
            [[12, 10, 8], [30]],
            [[27, 24, 21], [72]],
            [[12, 8, 4], [24]],
            [[30, 25, 20], [75]],
          ]);
        }
      }
      await vi.waitFor(() => expect(live()).toBeLessThanOrEqual(before), 60_000);
    },
  );

  test('may begin at an address that is no multiple of what their code needs', async () => {
    using bytes = await backend.array(new Uint8Array(80));
    using elements = await backend.array([1, 2, 3], { dtype: 'float64' });
    const scale = newScale();
    for (const offset of [0, 4, 8, 1, 0, 4]) {
      using x = backend.asArray(bytes, { dtype: 'float64', shape: [3], byteOffset: offset });
      await backend.copy(x, elements);
      using y = (await scale(backend, { a: 2, x })).y;
      expect(await realParts(backend, y)).toEqual([2, 4, 6]);
    }
  });

  test('reject if an array or a queue has been disposed of', async () => {
    using kept = await backend.array([1, 2], { dtype: 'float64' });
    const ended = await backend.array([3, 4], { dtype: 'float64' });
    using out = backend.empty([2], 'float64');
    const queue = backend.createQueue();
    const scale = newScale();
    const options = { queue, out: { y: out } };
    for (let call = 0; call < 3; call++) await scale(backend, { a: 2, x: kept }, options);
    await scale(backend, { a: 2, x: ended }, options);
    ended.dispose();
    await expect(scale(backend, { a: 2, x: ended }, options)).rejects.toMatchObject({
      code: 'ERR_DISPOSED',
      path: 'x',
    });
    queue.dispose();
    await expect(scale(backend, { a: 2, x: kept }, options)).rejects.toMatchObject({
      code: 'ERR_DISPOSED',
    });
    expect(await realParts(backend, out)).toEqual([6, 8]);
  });
});
