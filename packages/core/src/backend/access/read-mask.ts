import { type ArrayDescriptor, replace } from '../../descriptor/descriptor.js';
import { relativeLayout } from '../../descriptor/relative-layout.js';
import { dtype } from '../../dtype/read-dtype.js';
import { newBuffer } from '../../plan/copy-buffers.js';
import type { TextLimits } from '../../text/limits.js';
import { shownPart } from '../../text/shown-part.js';
import { broadcastTo } from '../../views/broadcast.js';
import type { ReadOptions } from '../interface/options.js';

/** A backend, as far as masks need one. */
interface Reader {
  readBack(array: ArrayDescriptor, options: ReadOptions): Promise<ArrayDescriptor>;
}

/**
 * Copies a mask for the elements that a text shows of an array of this shape: a byte each, which is
 * 0 where the mask leaves one out. Rejects as `readBack` does.
 */
export async function readMask(
  reader: Reader,
  mask: ArrayDescriptor,
  shape: readonly number[],
  limits: TextLimits,
  options: ReadOptions,
): Promise<Uint8Array> {
  const whole = mask.dtype.kind === 't' ? await unpackBits(reader, mask, options) : mask;
  const { elements } = shownPart(broadcastTo(whole, shape), limits);
  const bools = { ...options, dtype: 'bool', casting: 'unsafe' } as const;
  const { buffer } = await reader.readBack(elements, bools);
  return new Uint8Array(buffer as ArrayBuffer);
}

/**
 * Copies bits into a bool for each, in JavaScript memory. The first bit is the least significant
 * one of its byte, as in Arrow and cuDF; the interfaces do not say.
 */
async function unpackBits(
  reader: Reader,
  bits: ArrayDescriptor,
  options: ReadOptions,
): Promise<ArrayDescriptor> {
  const { shape, size, nbytes } = bits;
  const bytes = replace(bits, { dtype: dtype('uint8'), shape: [nbytes], byteStrides: [1] });
  const read = await reader.readBack(bytes, options);
  const from = new Uint8Array(read.buffer as ArrayBuffer);
  const buffer = newBuffer(size);
  const to = new Uint8Array(buffer);
  for (let i = 0; i < size; i++) to[i] = ((from[i >>> 3] as number) >>> (i & 7)) & 1;
  return replace(relativeLayout(shape, dtype('bool')), { buffer });
}
