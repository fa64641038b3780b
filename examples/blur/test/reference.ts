import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

/** An image in plain memory, channels last. */
export interface Image {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
  readonly pixels: Float32Array<ArrayBuffer>;
}

const nearby = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The photograph, 512 x 512 x 3, as numbers between 0 and 1. */
export async function photograph(): Promise<Image> {
  const { data, info } = await sharp(nearby('../../data/astronaut.png'))
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { height, width, channels } = info;
  return { height, width, channels, pixels: Float32Array.from(data, (byte) => byte / 255) };
}

/** SciPy's result for it with `SCIPY_SIGMA`, at `SCIPY_PLACES` of both axes; see scipy_sample.py. */
export function scipySample(): Float32Array {
  const bytes = readFileSync(nearby('scipy.f32'));
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
export const SCIPY_SIGMA = 2.5;
const LENGTH = 512;
const EDGE = 12;
export const SCIPY_PLACES: readonly number[] = Array.from({ length: LENGTH }, (_, i) => i).filter(
  (i) => i < EDGE || i >= LENGTH - EDGE || (i - EDGE) % 20 === 0,
);

/**
 * The same blur by definition, over an image that is mirrored at its edges: each axis is summed in
 * double and then rounded once, as SciPy's `gaussian_filter` does with float32.
 */
export function blurByDefinition({ height, width, channels, pixels }: Image, sigma: number) {
  const radius = Math.floor(4 * sigma + 0.5);
  const offsets = Array.from({ length: 2 * radius + 1 }, (_, i) => i - radius);
  const bells = offsets.map((x) => Math.exp((-0.5 * x * x) / (sigma * sigma)));
  const total = bells.reduce((sum, one) => sum + one, 0);
  const mirrored = (at: number, length: number) => {
    const turn = ((at % (2 * length)) + 2 * length) % (2 * length);
    return turn < length ? turn : 2 * length - 1 - turn;
  };
  const along = (
    from: Float32Array,
    place: (row: number, column: number, offset: number) => number,
  ) =>
    Float32Array.from(from, (_, i) => {
      const channel = i % channels;
      const column = Math.floor(i / channels) % width;
      const row = Math.floor(i / channels / width);
      let sum = 0;
      offsets.forEach((offset, n) => {
        const at = place(row, column, offset) * channels + channel;
        sum += (from[at] as number) * ((bells[n] as number) / total);
      });
      return sum;
    });
  const columns = along(
    pixels,
    (row, column, offset) => mirrored(row + offset, height) * width + column,
  );
  return along(columns, (row, column, offset) => row * width + mirrored(column + offset, width));
}

/** The largest distance between two lists' numbers at an index, in floats. 0 if they are equal. */
export function unitsApart(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  const [left, right] = [inOrder(a), inOrder(b)];
  return left.reduce((most, one, i) => Math.max(most, Math.abs(one - (right[i] as number))), 0);
}

/** Integers in the order of the floats, adjacent if those are. */
function inOrder(floats: Float32Array): Float64Array {
  const bits = new Int32Array(Float32Array.from(floats).buffer);
  return Float64Array.from(bits, (one) => (one < 0 ? -(one & 0x7fffffff) : one));
}
