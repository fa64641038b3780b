import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { relate } from '../overlap/may-share-memory.js';
import { planCopy } from './plan-copy.js';

/**
 * Copies between two ranges of JavaScript memory, synchronously and without a device. Overlapping
 * ranges are copied as if the source had been copied first. So are two SharedArrayBuffers, since
 * they may be the same memory. Throws ERR_OUT_OF_BOUNDS for a buffer that was detached or
 * shortened.
 */
export function copyBuffers(to: ArrayDescriptor, from: ArrayDescriptor): void {
  const target = bytesOf(to, 'destination');
  const mayBeOne = relate(to.buffer, from.buffer) !== 'apart';
  const source = mayBeOne ? bytesOf(from, 'source').slice() : bytesOf(from, 'source');
  const { shape, unit, destinationStrides, sourceStrides, ...plan } = planCopy(to, from);
  const isRun = destinationStrides.at(-1) === unit && sourceStrides.at(-1) === unit;
  const axes = isRun ? shape.slice(0, -1) : shape;
  const run = isRun ? unit * (shape.at(-1) as number) : unit;
  const step = (axis: number, at: number, origin: number): void => {
    if (axis === axes.length) {
      target.set(source.subarray(origin, origin + run), at);
      return;
    }
    const toStride = destinationStrides[axis] as number;
    const fromStride = sourceStrides[axis] as number;
    for (let i = 0; i < (axes[axis] as number); i++) {
      step(axis + 1, at + i * toStride, origin + i * fromStride);
    }
  };
  step(0, Number(plan.destination), Number(plan.source));
}

/**
 * Returns all bytes of an array's buffer. Throws ERR_OUT_OF_BOUNDS if it no longer contains the
 * elements.
 */
export function bytesOf(array: ArrayDescriptor, path: string): Uint8Array {
  const buffer = array.buffer as ArrayBufferLike;
  const [low, high] = array.extent;
  const start = Number(array.pointer);
  if (start + low >= 0 && start + high <= buffer.byteLength) return new Uint8Array(buffer);
  throw mismatch(
    'ERR_OUT_OF_BOUNDS',
    path,
    `elements within a buffer of ${buffer.byteLength} bytes`,
    'some beyond its end',
    'was it detached or resized?',
  );
}

/**
 * Allocates zeroed JavaScript memory. Throws ERR_OUT_OF_MEMORY instead of the engine's RangeError.
 */
export function newBuffer(byteLength: number): ArrayBuffer {
  try {
    return new ArrayBuffer(byteLength);
  } catch (cause) {
    throw new ArrayInterfaceError(
      'ERR_OUT_OF_MEMORY',
      null,
      `expected room for ${byteLength} bytes of JavaScript memory, got none; copy it in parts`,
      { cause },
    );
  }
}
