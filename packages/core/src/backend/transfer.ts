import type { ArrayDescriptor } from '../descriptor.js';
import { byteStrides } from '../strides.js';
import type { Backend, CopyOptions } from './backend.js';
import { newBuffer } from './new-buffer.js';
import type { Queue } from './queue.js';
import { relativeLayout } from './relative-layout.js';

/** Host memory that a transfer holds at a time, in bytes; one row of the first axis at least. */
const CHUNK_BYTES = 64 * 1024 * 1024;

/** An array and the backend that reaches it. */
export interface Side {
  readonly backend: Backend;
  readonly array: ArrayDescriptor;
  /** Where its half of the work goes, if the caller named one of this backend's queues. */
  readonly queue?: Queue | undefined;
}

/**
 * Copies between two backends that do not know one another, through host memory: chunks of whole
 * rows, each read from one side in C order and written to the other. Layouts are the sides' own.
 * Settles as `copy` does; both were checked before.
 */
export async function transfer(
  to: Side,
  from: Side,
  options: Omit<CopyOptions, 'queue'>,
  chunkBytes: number = CHUNK_BYTES,
): Promise<void> {
  const source = broadcast(from.array, to.array.shape);
  for (const [start, stop] of chunks(to.array, chunkBytes)) {
    options.signal?.throwIfAborted();
    const target = rows(to.array, start, stop);
    const buffer = newBuffer(target.nbytes);
    const staging = relativeLayout(target.shape, target.dtype, null, buffer);
    await from.backend.copy(staging, rows(source, start, stop), on(from.queue, options));
    await to.backend.copy(target, staging, on(to.queue, options));
  }
}

/** The same elements seen with another shape, repeated where the source has length 1 or no axis. */
function broadcast(source: ArrayDescriptor, shape: readonly number[]): ArrayDescriptor {
  const missing = shape.length - source.ndim;
  const strides = shape.map((length, axis) => {
    const inSource = axis - missing;
    if (inSource < 0 || source.shape[inSource] !== length) return 0;
    return source.byteStrides[inSource] as number;
  });
  return source.with({ shape, byteStrides: byteStrides(strides), base: null });
}

function chunks(array: ArrayDescriptor, chunkBytes: number): [start: number, stop: number][] {
  if (array.ndim === 0) return [[0, 1]];
  const length = array.shape[0] as number;
  const step = Math.max(1, Math.floor((chunkBytes * length) / Math.max(1, array.nbytes)));
  const ranges: [number, number][] = [];
  for (let start = 0; start < length; start += step) {
    ranges.push([start, Math.min(start + step, length)]);
  }
  return ranges;
}

function rows(array: ArrayDescriptor, start: number, stop: number): ArrayDescriptor {
  if (array.ndim === 0) return array;
  return array.with({
    pointer: array.pointer + BigInt(start) * BigInt(array.byteStrides[0] as number),
    shape: [stop - start, ...array.shape.slice(1)],
    base: null,
  });
}

function on(queue: Queue | undefined, options: CopyOptions): CopyOptions {
  return queue === undefined ? options : { ...options, queue };
}
