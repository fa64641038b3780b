import { type ArrayDescriptor, replace } from '../../descriptor/descriptor.js';
import { relativeLayout } from '../../descriptor/relative-layout.js';
import { dtype } from '../../dtype/read-dtype.js';
import type { TextLimits } from '../../text/limits.js';
import { shownPart } from '../../text/shown-part.js';
import { broadcastTo } from '../../views/broadcast.js';
import type { ReadOptions } from './options.js';

/** A backend, as far as masks need one. */
interface Reader {
  readBack(array: ArrayDescriptor, options: ReadOptions): Promise<ArrayDescriptor>;
}

/**
 * Copies a mask for the elements that a text shows of an array of this shape: a byte each, which is
 * 0 where the mask leaves one out. Of a mask of bits it copies all. Rejects as `readBack` does.
 */
export async function readMask(
  reader: Reader,
  mask: ArrayDescriptor,
  shape: readonly number[],
  limits: TextLimits,
  options: ReadOptions,
): Promise<Uint8Array> {
  if (mask.dtype.kind === 't') return readBits(reader, mask, shape, limits, options);
  const { elements } = shownPart(broadcastTo(mask, shape), limits);
  const bools = { ...options, dtype: 'bool', casting: 'unsafe' } as const;
  return bytesOf(await reader.readBack(elements, bools));
}

/**
 * The first bit is the least significant one of its byte, as in Arrow and cuDF; the interfaces do
 * not say.
 */
async function readBits(
  reader: Reader,
  mask: ArrayDescriptor,
  shape: readonly number[],
  limits: TextLimits,
  options: ReadOptions,
): Promise<Uint8Array> {
  const whole = { dtype: dtype('uint8'), shape: [mask.nbytes], byteStrides: [1] };
  const bits = bytesOf(await reader.readBack(replace(mask, whole), options));
  // in a layout of one byte for each bit, an offset is the bit's number
  const numbers = broadcastTo(relativeLayout(mask.shape, dtype('uint8')), shape);
  const { elements } = shownPart(numbers, limits);
  const valid = new Uint8Array(elements.size);
  let next = 0;
  const visit = (axis: number, number: number): void => {
    if (axis === elements.ndim) {
      valid[next++] = ((bits[Math.floor(number / 8)] as number) >>> (number % 8)) & 1;
      return;
    }
    const stride = elements.byteStrides[axis] as number;
    for (let i = 0; i < (elements.shape[axis] as number); i++) visit(axis + 1, number + i * stride);
  };
  visit(0, Number(elements.pointer));
  return valid;
}

function bytesOf({ buffer }: ArrayDescriptor): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer);
}
