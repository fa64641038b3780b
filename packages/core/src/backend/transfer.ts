import type { ArrayDescriptor } from '../descriptor.js';
import { byteStrides } from '../strides.js';
import type { Backend, CopyOptions } from './backend.js';
import { newBuffer } from './new-buffer.js';
import { parts } from './parts.js';
import type { Queue } from './queue.js';
import { relativeLayout } from './relative-layout.js';

/** Host memory that a transfer holds at a time, in bytes; one element at least. */
const CHUNK_BYTES = 64 * 1024 * 1024;

/** An array and the backend that reaches it. */
export interface Side {
  readonly backend: Backend;
  readonly array: ArrayDescriptor;
  /** Where its half of the work goes, if the caller named one of this backend's queues. */
  readonly queue?: Queue | undefined;
}

/**
 * Copies between two backends that do not know one another, through host memory: pieces,
 * of whole rows where those are short, each read from one side in C order and written to the other. Layouts are the sides' own.
 * Settles as `copy` does; both were checked before.
 */
export async function transfer(
  to: Side,
  from: Side,
  options: Omit<CopyOptions, 'queue'>,
  chunkBytes: number = CHUNK_BYTES,
): Promise<void> {
  const source = broadcast(from.array, to.array.shape);
  for (const [target, origin] of parts(to.array, source, chunkBytes)) {
    options.signal?.throwIfAborted();
    const buffer = newBuffer(target.nbytes);
    const staging = relativeLayout(target.shape, target.dtype, null, buffer);
    await from.backend.copy(staging, origin, on(from.queue, options));
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

function on(queue: Queue | undefined, options: CopyOptions): CopyOptions {
  return queue === undefined ? options : { ...options, queue };
}
