import { type SyclEmptyOptions, sycl } from '@array-interface/sycl';
import { describe, expect, test } from 'vitest';
import { refused } from '../support/refused.js';

// Functions of arrays in contexts other than the default one.

/** Options for new arrays of two contexts. Each keeps a queue for as long as it is referenced. */
function twoContexts(): [first: SyclEmptyOptions, second: SyclEmptyOptions] {
  const [one, other] = sycl.divide(0, 1);
  if (one === undefined || other === undefined) throw new Error('the device has one compute unit');
  return [{ context: one }, { context: other }];
}

describe('functions of arrays', () => {
  test('run in the context of their arrays', async () => {
    const [first] = twoContexts();
    using array = await sycl.array(
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      { dtype: 'int16', ...first },
    );
    using indices = await sycl.array([2, 0], { dtype: 'int32', ...first });
    using taken = await sycl.take(array, indices, { axis: 1 });
    using chosen = await sycl.where([true, false, true], array, 0);
    using like = await sycl.zerosLike(array);
    using repeated = await sycl.repeat(array.transpose(), 2);
    await sycl.put(array, [1, -1], 7, { axis: 1 });
    const contexts = [taken, chosen, like, repeated].map(({ memory }) => memory.context);
    expect(new Set(contexts)).toEqual(new Set([array.memory.context]));
    expect(await sycl.toTypedArray(taken)).toEqual(Int16Array.of(3, 1, 6, 4));
    expect(await sycl.toTypedArray(chosen)).toEqual(Int16Array.of(1, 0, 3, 4, 0, 6));
    expect(await sycl.toTypedArray(repeated)).toEqual(
      Int16Array.of(1, 1, 4, 4, 2, 2, 5, 5, 3, 3, 6, 6),
    );
    expect(await sycl.toTypedArray(array)).toEqual(Int16Array.of(1, 7, 7, 4, 7, 7));
  });

  test('of two contexts are joined, or refused, and nothing is written', async () => {
    const [first, second] = twoContexts();
    using near = await sycl.array([1, 2, 3], { dtype: 'int64', ...first });
    using far = await sycl.array([0, 2], { dtype: 'int64', ...second });
    for (const [path, call] of [
      ['values', () => sycl.put(near, [0, 1], far)],
      ['indices', () => sycl.put(near, far, 7)],
      ['indices', () => sycl.take(near, far)],
      ['b', () => sycl.where([true, false], near.slice([[0, 2]]), far)],
    ] as const) {
      const error = await refused('ERR_NOT_ACCESSIBLE', call);
      expect(error.path).toBe(path);
    }
    expect(await sycl.toTypedArray(near)).toEqual(BigInt64Array.of(1n, 2n, 3n));
    using joined = await sycl.concat([near, far]);
    expect(joined.memory.context).toBe(near.memory.context);
    expect(await sycl.toTypedArray(joined)).toEqual(BigInt64Array.of(1n, 2n, 3n, 0n, 2n));
    using moved = await sycl.array(far, first);
    await sycl.put(near, moved, 7);
    expect(await sycl.toTypedArray(near)).toEqual(BigInt64Array.of(7n, 2n, 7n));
  });

  test('take a context alone, whatever array they are like', async () => {
    const [first, second] = twoContexts();
    using array = await sycl.array([1, 2], { dtype: 'float32', ...first });
    using like = await sycl.onesLike(array, second);
    expect(like.memory.context).not.toBe(array.memory.context);
    expect(await sycl.toTypedArray(like)).toEqual(Float32Array.of(1, 1));
  });
});
