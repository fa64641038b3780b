import type { Backend, BackendArray } from '@array-interface/core';
import { cuda, liveAllocations as onCuda } from '@array-interface/cuda';
import { host } from '@array-interface/host';
import { liveAllocations as onSycl, sycl } from '@array-interface/sycl';
import { describe, expect, test, vi } from 'vitest';
import { blur } from '../src/index.js';
import {
  blurByDefinition,
  type Image,
  photograph,
  SCIPY_PLACES,
  SCIPY_SIGMA,
  scipySample,
  unitsApart,
} from './reference.js';

// CUDA is the simulator (driver-under-test.ts), SYCL the CPU device of the runtime.
const backends: readonly [string, Backend][] = [
  ['host', host],
  ['cuda', cuda],
  ['sycl', sycl],
];

/** Numbers that differ, so that each identifies its place. */
function pattern(height: number, width: number, channels: number): Image {
  const pixels = Float32Array.from(
    { length: height * width * channels },
    (_, i) => ((i * 7919 + 13) % 1009) / 1009,
  );
  return { height, width, channels, pixels };
}

const shapeOf = ({ height, width, channels }: Image) => [height, width, channels];

/** Blurs an image in a backend's memory, and reads the result. */
async function blurred(backend: Backend, image: Image, sigma: number): Promise<Float32Array> {
  using source = await backend.array(image.pixels, { shape: shapeOf(image) });
  using result = await blur(source, { sigma, backend });
  expect(result.shape).toEqual(shapeOf(image));
  return backend.toTypedArray(result, { dtype: 'float32' });
}

/** The values of an image at some rows and columns. */
function sampled(pixels: Float32Array, { width, channels }: Image, places: readonly number[]) {
  return Float32Array.from(
    places.flatMap((row) =>
      places.flatMap((column) => {
        const at = (row * width + column) * channels;
        return [...pixels.subarray(at, at + channels)];
      }),
    ),
  );
}

describe.each(backends)('blur on %s', (_, backend) => {
  test('of a photograph equals SciPy’s', async () => {
    const image = await photograph();
    const result = await blurred(backend, image, SCIPY_SIGMA);
    expect(unitsApart(sampled(result, image, SCIPY_PLACES), scipySample())).toBeLessThanOrEqual(1);
    expect(unitsApart(result, blurByDefinition(image, SCIPY_SIGMA))).toBeLessThanOrEqual(1);
  });

  test('with a sigma whose square is 0 is the image', async () => {
    const image = pattern(5, 7, 1);
    expect(await blurred(backend, image, 1e-200)).toEqual(image.pixels);
  });

  test.each([
    [1, 1, 1, 2],
    [1, 5, 3, 1],
    [7, 1, 2, 3],
    [3, 4, 4, 5], // neighbours beyond several mirrors
    [5, 70, 1, 0.1], // no neighbours at all
    [9, 200, 3, 1.5],
    [67, 129, 1, 2],
  ])('of %i x %i pixels with %i channels, sigma %d', async (height, width, channels, sigma) => {
    const image = pattern(height, width, channels);
    const result = await blurred(backend, image, sigma);
    expect(unitsApart(result, blurByDefinition(image, sigma))).toBeLessThanOrEqual(1);
  });

  test('takes an image without channels, of another dtype, upside down', async () => {
    const bytes = Uint8Array.from({ length: 12 * 30 }, (_, i) => (i * 37) % 256);
    using source = await backend.array(bytes, { shape: [12, 30] });
    using result = await blur(source.flip(0), { sigma: 1, backend });
    expect(result.shape).toEqual([12, 30]);
    const rows = Array.from({ length: 12 }, (_, row) => bytes.subarray(30 * row, 30 * (row + 1)));
    const pixels = Float32Array.from(rows.reverse().flatMap((row) => [...row]));
    const expected = blurByDefinition({ height: 12, width: 30, channels: 1, pixels }, 1);
    const seen = await backend.toTypedArray(result, { dtype: 'float32' });
    expect(unitsApart(seen, expected)).toBeLessThanOrEqual(1);
  });

  test('takes an image of another backend, and does not change it', async () => {
    const image = pattern(8, 9, 3);
    using source = await host.array(image.pixels, { shape: shapeOf(image) });
    using result = await blur(source, { sigma: 1, backend });
    const seen = await backend.toTypedArray(result, { dtype: 'float32' });
    expect(unitsApart(seen, blurByDefinition(image, 1))).toBeLessThanOrEqual(1);
    expect(await host.toTypedArray(source)).toEqual(image.pixels);
  });

  test('of an empty image is an empty image', async () => {
    using source = backend.empty([0, 4, 3], 'float32');
    using result = await blur(source, { sigma: 1, backend });
    expect(result.shape).toEqual([0, 4, 3]);
  });

  test.each([
    [[3], 1, 'image: expected 2 or 3 axes, got 1'],
    [[3, 3, 3, 3], 1, 'image: expected 2 or 3 axes, got 4'],
    [[3, 3], 0, 'sigma: expected a number of pixels above 0, got 0'],
    [[3, 3], Number.NaN, 'sigma: expected a number of pixels above 0, got NaN'],
    [[3, 3], Number.POSITIVE_INFINITY, 'sigma: expected a number of pixels above 0, got Infinity'],
  ])('refuses shape %j with sigma %d', async (shape, sigma, message) => {
    using source = backend.empty(shape, 'float32');
    await expect(blur(source, { sigma, backend })).rejects.toThrow(new RangeError(message));
  });
});

/** Blurs memory that pending work still fills, without a wait in between. */
async function afterPending<A extends BackendArray>(backend: Backend<A>, isDirect: boolean) {
  const image = pattern(40, 50, 3);
  using pixels = await backend.array(image.pixels, { shape: shapeOf(image) });
  using source = backend.empty(shapeOf(image), isDirect ? 'float32' : 'float64');
  await backend.fill(source, -1);
  await backend.synchronize();
  using producer = backend.createQueue() as ReturnType<Backend['createQueue']> & Disposable;
  await backend.copy(source, pixels, { queue: producer });
  using result = await blur(source, { sigma: 2, backend });
  // Later work must not overtake the blur.
  await backend.fill(source, -2, { queue: producer });
  const seen = await backend.toTypedArray(result, { dtype: 'float32' });
  expect(unitsApart(seen, blurByDefinition(image, 2))).toBeLessThanOrEqual(1);
}

describe.each(backends)('on %s, in order', (_, backend) => {
  test.each([
    ['in place', true],
    ['in a copy', false],
  ])('a blur %s runs after its producer and before the next writer', async (_, isDirect) => {
    await afterPending(backend, isDirect);
  });
});

test('frees all its memory, even if it fails', async () => {
  for (const [, backend] of backends) {
    using source = await backend.array(pattern(8, 8, 3).pixels, { shape: [8, 8, 3] });
    source[Symbol.dispose]();
    await expect(blur(source, { sigma: 1, backend })).rejects.toMatchObject({
      code: 'ERR_DISPOSED',
    });
  }
  await vi.waitFor(() => expect([onCuda(), onSycl()]).toEqual([0, 0]), 60_000);
});
