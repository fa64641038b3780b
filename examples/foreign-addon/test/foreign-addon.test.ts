import { cuda, liveAllocations as liveOnCuda } from '@array-interface/cuda';
import { ramp, sum, through } from '@array-interface/example-foreign-addon';
import { host, liveAllocations as liveOnHost } from '@array-interface/host';
import { liveAllocations as liveOnSycl, sycl } from '@array-interface/sycl';
import { afterEach, describe, expect, test, vi } from 'vitest';

afterEach(async () => {
  await Promise.all([cuda.synchronize(), sycl.synchronize()]);
  const live = () => [liveOnHost(), liveOnCuda(), liveOnSycl()];
  await vi.waitFor(() => expect(live()).toEqual([0, 0, 0]), 60_000);
});

describe('sum', () => {
  test('reads arrays and views in place', async () => {
    using array = await host.array([[1, 2, 3], [4, 5, 6]], { dtype: 'float32' }); // biome-ignore format: as a matrix
    expect(sum(array)).toBe(21);
    expect(
      sum(
        array.transpose().slice([
          [null, null, -2],
          [0, 1],
        ]),
      ),
    ).toBe(4);
    expect(sum(array.slice([1, 2]))).toBe(6);
    using empty = host.empty([0, 2 ** 40], 'float32');
    expect(sum(empty)).toBe(0);
    expect(sum(ramp(5))).toBe(10);
  });

  test('refuses what it cannot read', async () => {
    using integers = await host.array([1, 2], { dtype: 'int32' });
    expect(() => sum(integers)).toThrow("make it with { dtype: 'float32' }");
    using onDevice = await cuda.array([1, 2], { dtype: 'float32' });
    expect(() => sum(onDevice)).toThrow('copy it with host.array()');
    for (const wrong of [{}, [1, 2], Float32Array.of(1), undefined, 1]) {
      expect(() => sum(wrong as never)).toThrow('expected an array or a capsule');
    }
    const capsule = ramp(2);
    sum(capsule);
    expect(() => sum(capsule)).toThrow('got a used one');
  });
});

describe('ramp', () => {
  test('returns its own memory', async () => {
    using array = host.asArray(ramp(4));
    expect(await host.toTypedArray(array)).toEqual(Float32Array.of(0, 1, 2, 3));
    await host.fill(array, 7);
    expect(sum(array)).toBe(28);
    using onDevice = await cuda.array(array);
    expect(await cuda.toTypedArray(onDevice)).toEqual(Float32Array.of(7, 7, 7, 7));
    using nothing = host.asArray(ramp(0));
    expect(nothing.shape).toEqual([0]);
  });

  test('accepts only lengths', () => {
    for (const wrong of [-1, 0.5, Number.NaN, 1e10, '3']) {
      expect(() => ramp(wrong as number)).toThrow('expected a length');
    }
  });
});

describe.each([
  ['host', host],
  ['cuda', cuda],
  ['sycl', sycl],
] as const)('through, on %s', (_, backend) => {
  test.each(['pending', 'ended'])('keeps memory and order of work that is %s', async (state) => {
    const array = backend.empty([1000], 'float32');
    void backend.fill(array, 3);
    if (state === 'ended') await array.synchronize();
    using same = backend.asArray(through(array.slice([[null, null, 2]])));
    array[Symbol.dispose]();
    expect(await backend.toTypedArray(same)).toEqual(new Float32Array(500).fill(3));
    await backend.fill(same, 4);
    expect(await backend.toTypedArray(same)).toEqual(new Float32Array(500).fill(4));
  });
});
