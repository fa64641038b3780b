import { host } from '@array-interface/host';
import { describe, expect, test } from 'vitest';
import { planes } from '../src/index.js';

/** height x width x channels. Each element identifies its place. */
async function image(height: number, width: number, channels: number) {
  const pixel = (row: number, column: number, channel: number) =>
    row * 10_000 + column * 100 + channel;
  return host.array(
    Array.from({ length: height }, (_, row) =>
      Array.from({ length: width }, (_, column) =>
        Array.from({ length: channels }, (_, channel) => pixel(row, column, channel)),
      ),
    ),
    { dtype: 'float32' },
  );
}

describe('planes', () => {
  test('turns an image upside down, one channel after another', async () => {
    const made = await planes(await image(3, 2, 2), host);
    expect(made.shape).toEqual([2, 3, 2]);
    expect(made.descriptor.contiguous.c).toBe(true);
    expect([...(await host.toTypedArray(made))]).toEqual([
      20000, 20100, 10000, 10100, 0, 100, 20001, 20101, 10001, 10101, 1, 101,
    ]);
  });

  test('takes a strided view, and does not change it', async () => {
    const whole = await image(4, 5, 3);
    const view = whole.slice([[1, 3], [4, 0, -2], null]);
    const made = await planes(view, host);
    expect([...(await host.toTypedArray(made.slice([2])))]).toEqual([20402, 20202, 10402, 10202]);
    expect((await host.toTypedArray(whole))[1]).toBe(1);
  });

  test('takes a producer that is not one of our arrays', async () => {
    const owner = await image(2, 2, 1);
    const producer = { __array_interface__: owner.__array_interface__, owner };
    expect([...(await host.toTypedArray(await planes(producer, host)))]).toEqual([
      10000, 10100, 0, 100,
    ]);
  });
});
