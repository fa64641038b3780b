import type { LayoutOptions } from '@array-interface/core';
import { host } from '@array-interface/host';
import { describe, expect, test } from 'vitest';

/** The bytes 0 to 63, at odd addresses. */
function counting(buffer: ArrayBufferLike = new ArrayBuffer(80)): Uint8Array<ArrayBufferLike> {
  return fill(new Uint8Array(buffer, 3, 64));
}

function fill<T extends Uint8Array>(bytes: T): T {
  for (const index of bytes.keys()) bytes[index] = index;
  return bytes;
}

const refusal = (code: string, path: string) => expect.objectContaining({ code, path });

describe('JavaScript memory in a layout of its own', () => {
  test.each([
    ['a typed array', () => counting()],
    ['a shared one', () => counting(new SharedArrayBuffer(80))],
    ['a Buffer', () => fill(Buffer.alloc(64))],
    ['a DataView', () => new DataView(counting().buffer, 3, 64)],
    ['an ArrayBuffer', () => fill(new Uint8Array(64)).buffer],
    ['a SharedArrayBuffer', () => fill(new Uint8Array(new SharedArrayBuffer(64))).buffer],
  ] as const)('%s', async (_, make) => {
    const source = make();
    const options = { shape: [2, 3], dtype: 'int16', byteStrides: [20, 4], byteOffset: 2 } as const;
    using array = host.asArray(source, options);
    const expected = [2, 6, 10, 22, 26, 30].map((byte) => byte | ((byte + 1) << 8));
    expect([...(await host.toTypedArray(array))]).toEqual(expected);
    await host.fill(array.slice([1]), 0);
    using again = host.asArray(source);
    const bytes = await host.toTypedArray(again);
    expect([...bytes.slice(20, 32)]).toEqual([20, 21, 0, 0, 24, 25, 0, 0, 28, 29, 0, 0]);
    for (const [wrong, path] of [
      [{ shape: [17], dtype: 'float32' }, 'shape'],
      [{ shape: [16], dtype: 'float32', byteOffset: 1 }, 'byteOffset'],
      [{ shape: [2], elementStrides: [-1], elementOffset: 0 }, 'elementOffset'],
      [{ byteOffset: 65 }, 'byteOffset'],
    ] satisfies [LayoutOptions, string][]) {
      expect(() => host.asArray(source, wrong)).toThrow(refusal('ERR_OUT_OF_BOUNDS', path));
    }
  });

  test('a chunk of zarrita, in C or in Fortran order', async () => {
    const chunk = { data: Float32Array.of(0, 1, 2, 3, 4, 5), shape: [2, 3], stride: [1, 2] };
    using array = host.asArray(chunk.data, { shape: chunk.shape, elementStrides: chunk.stride });
    expect([...(await host.toTypedArray(array))]).toEqual([0, 2, 4, 1, 3, 5]);
  });

  test('the planes of a frame of video', async () => {
    const [width, height, pitch] = [6, 4, 8];
    const frame = fill(new Uint8Array(pitch * height * 1.5));
    const half = { shape: [height / 2, width / 2], byteStrides: [pitch / 2, 1] };
    using luma = host.asArray(frame, { shape: [height, width], byteStrides: [pitch, 1] });
    using blue = host.asArray(frame, { ...half, byteOffset: pitch * height });
    using red = host.asArray(frame, { ...half, byteOffset: pitch * height * 1.25 });
    expect([...(await host.toTypedArray(luma.slice([1])))]).toEqual([8, 9, 10, 11, 12, 13]);
    expect([...(await host.toTypedArray(blue))]).toEqual([32, 33, 34, 36, 37, 38]);
    expect([...(await host.toTypedArray(red))]).toEqual([40, 41, 42, 44, 45, 46]);
  });

  test('rows from the last to the first', async () => {
    const image = Int16Array.of(1, 2, 3, 4, 5, 6);
    using flipped = host.asArray(image, {
      ...{ shape: [3, 2], elementStrides: [-2, 1], elementOffset: 4 },
    });
    expect([...(await host.toTypedArray(flipped))]).toEqual([5, 6, 3, 4, 1, 2]);
  });
});
