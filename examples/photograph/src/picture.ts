import { type ArrayDescriptor, makeDescriptor } from '@array-interface/core';
import sharp from 'sharp';
import { Refusal } from './refusal.js';

/** Rows begin at multiples of this many bytes, as in textures and image libraries. */
const ROW_ALIGNMENT = 256;
const CHANNELS = 3;
const SMALLEST = 8;

/** A decoded photograph: float32, height x width x 3, with padding after each row. */
export interface Picture {
  readonly height: number;
  readonly width: number;
  /** Floats from one row to the next. */
  readonly pitch: number;
  readonly pixels: Float32Array;
  /** The same memory, described. */
  readonly descriptor: ArrayDescriptor;
}

/** Decodes a photograph to RGB. Throws a Refusal if it cannot be read or is smaller than 8 x 8. */
export async function readPicture(file: string): Promise<Picture> {
  const { data, info } = await decode(file);
  const { width, height } = info;
  if (width < SMALLEST || height < SMALLEST) {
    throw new Refusal(
      `expected a photograph of at least ${SMALLEST} x ${SMALLEST} pixels, got ${width} x ${height}: ${file}`,
    );
  }
  const rowBytes = width * CHANNELS * Float32Array.BYTES_PER_ELEMENT;
  const pitchBytes = Math.ceil(rowBytes / ROW_ALIGNMENT) * ROW_ALIGNMENT;
  const pitch = pitchBytes / Float32Array.BYTES_PER_ELEMENT;
  const pixels = new Float32Array(height * pitch);
  for (let row = 0; row < height; row++) {
    pixels.set(data.subarray(row * width * CHANNELS, (row + 1) * width * CHANNELS), row * pitch);
  }
  const descriptor = makeDescriptor({
    pointer: 0n,
    shape: [height, width, CHANNELS],
    dtype: 'float32',
    byteStrides: [pitchBytes, CHANNELS * 4, 4],
    buffer: pixels.buffer,
    owner: pixels,
  });
  return { height, width, pitch, pixels, descriptor };
}

/** Writes planes (3 x height x width, values 0 to 255) as an RGB PNG. Throws a Refusal. */
export async function writePicture(
  file: string,
  planes: Float32Array,
  height: number,
  width: number,
): Promise<void> {
  const bytes = Buffer.alloc(height * width * CHANNELS);
  for (let channel = 0; channel < CHANNELS; channel++) {
    const plane = channel * height * width;
    for (let i = 0; i < height * width; i++) {
      bytes[i * CHANNELS + channel] = planes[plane + i] as number;
    }
  }
  try {
    await sharp(bytes, { raw: { width, height, channels: CHANNELS } })
      .png()
      .toFile(file);
  } catch (error) {
    throw new Refusal(`cannot write ${file}: ${(error as Error).message.split('\n')[0]}`);
  }
}

/** Pictures beside one another, as a PNG that fits into a terminal. */
export async function sideBySide(files: readonly string[]): Promise<Buffer> {
  const small = files.map((file) => sharp(file).resize({ height: 240 }).png().toBuffer());
  const join = { across: files.length, shim: 16, background: 'transparent' };
  return sharp(await Promise.all(small), { join })
    .png()
    .toBuffer();
}

async function decode(file: string) {
  try {
    return await sharp(file)
      .removeAlpha()
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
  } catch (error) {
    throw new Refusal(`cannot read ${file}: ${(error as Error).message.split('\n')[0]}`);
  }
}
