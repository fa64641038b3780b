import { cuda } from '@array-interface/cuda';
import { describe, expect, test } from 'vitest';
import { childAnswer } from '../support/child.js';

// Functions of arrays on a device that is not the first; core's tests and the contract have the rest.

describe('functions of arrays', () => {
  test('run on the second device if all arrays are there', async () => {
    using stream = cuda.createStream({ device: 1 });
    for (const options of [{ device: 1 }, { queue: stream }]) {
      using array = await cuda.array(
        [
          [1, 2, 3],
          [4, 5, 6],
        ],
        { dtype: 'int16', ...options },
      );
      using indices = await cuda.array([2, 0], { dtype: 'int32', ...options });
      using taken = await cuda.take(array, indices, { axis: 1 });
      using chosen = await cuda.where([true, false, true], array, 0);
      using like = await cuda.zerosLike(array);
      using rolled = await cuda.roll(array.transpose(), 1);
      await cuda.put(
        array.transpose(),
        indices,
        [
          [7, 8],
          [9, 10],
        ],
        { axis: 0 },
      );
      expect([taken, chosen, like, rolled].map(({ device }) => device)).toEqual([1, 1, 1, 1]);
      expect(await cuda.toTypedArray(taken)).toEqual(Int16Array.of(3, 1, 6, 4));
      expect(await cuda.toTypedArray(chosen)).toEqual(Int16Array.of(1, 0, 3, 4, 0, 6));
      expect(await cuda.toTypedArray(rolled)).toEqual(Int16Array.of(6, 1, 4, 2, 5, 3));
      expect(await cuda.toTypedArray(array)).toEqual(Int16Array.of(9, 2, 7, 10, 5, 8));
    }
  });

  test('take a pool alone, whatever array they are like', async () => {
    using pool = cuda.createPool({ device: 0 });
    using far = await cuda.array([1, 2], { dtype: 'float32', device: 1 });
    using like = await cuda.onesLike(far, { pool });
    using taken = await cuda.take([5, 6], [1], { pool });
    expect([like.device, taken.device]).toEqual([0, 0]);
    expect(await cuda.toTypedArray(like)).toEqual(Float32Array.of(1, 1));
  });

  test.each([
    ['peers', {}],
    ['no peers', { CUDA_SIMULATOR_PEERS: '0' }],
  ] as const)('of arrays of two devices that are %s, in order', async (_, environment) => {
    const found = await childAnswer<unknown>(
      `import { cuda } from '@array-interface/cuda';
        const values = await cuda.array([1, 2, 3, 4], { dtype: 'int16', device: 1 });
        const indices = await cuda.array([3, 0], { dtype: 'int64', device: 1 });
        const target = await cuda.zeros([4], 'int16');
        const put = cuda.put(target, indices, values.slice([[1, 3]]));
        void cuda.fill(values, 9);
        void cuda.fill(indices, 0);
        const taken = cuda.take(target, indices);
        const chosen = cuda.where([true, false, true, false], target, values);
        void cuda.fill(target, 5);
        await put;
        console.log(JSON.stringify([
          [...await cuda.toTypedArray(await taken)],
          [...await cuda.toTypedArray(await chosen)],
          [...await cuda.toTypedArray(target)],
        ]));`,
      environment,
    );
    expect(found).toEqual([
      [3, 3],
      [3, 9, 0, 9],
      [5, 5, 5, 5],
    ]);
  });
});
