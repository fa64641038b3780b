import { type ArrayDescriptor, replace } from '../../descriptor/descriptor.js';
import { relativeLayout } from '../../descriptor/relative-layout.js';
import type { DType } from '../../dtype/dtype.js';
import { dtype } from '../../dtype/read-dtype.js';
import { isArrayInterfaceError } from '../../errors/error.js';
import type { Rounding } from '../../numbers/rounding.js';
import { chunksOf, stagedDType } from '../../plan/chunks.js';
import type { DrivenSide, Side } from '../access/acquire.js';
import { whenThereIsMemory } from '../access/deadline.js';
import type { ImportedMemory } from '../interface/driver.js';
import { copyAndWait } from './copy-and-wait.js';
import type { CopyStrategy, Worker } from './workers.js';

/** Bytes of a buffer. They are still in a cache when the other side reads them. */
const CHUNK_BYTES = 2 * 1024 * 1024;
/** Number of buffers: one side fills some while the other empties others. */
const BUFFERS = 8;

/** Memory of one side that the other can access too, as each side addresses it. */
interface SharedBuffer {
  readonly target: ImportedMemory;
  readonly origin: ImportedMemory;
}

/**
 * The strategy through a few buffers that both queues can access, used again and again. Uses as
 * many as there is memory for at once; for the first it waits while memory is about to be free.
 * Numbers are converted on the side that makes them smaller. Null if neither side has memory that
 * the other can access. Rejects with ERR_OUT_OF_MEMORY.
 */
export async function pipeline(
  to: DrivenSide,
  from: DrivenSide,
  chunkBytes: number = CHUNK_BYTES,
  signal?: AbortSignal,
  rounding?: Rounding,
): Promise<CopyStrategy | null> {
  const staged = stagedDType(to.array, from.array);
  const elements = Math.min(to.array.size, Math.max(1, Math.floor(chunkBytes / staged.itemsize)));
  const count = Math.min(BUFFERS, Math.ceil(to.array.size / elements));
  const buffers = await makeBuffers(to, from, elements * staged.itemsize, count, signal);
  if (buffers.length === 0) return null;
  return {
    chunks: chunksOf(to.array, from.array, elements * to.array.itemsize),
    workers: buffers.map((buffer) => makeWorker(buffer, to, from, staged, rounding)),
    end: () => buffers.forEach(endBuffer),
  };
}

function makeWorker(
  { target, origin }: SharedBuffer,
  to: DrivenSide,
  from: DrivenSide,
  staged: DType,
  rounding: Rounding | undefined,
): Worker {
  return async (into, outOf, failed) => {
    const layout = relativeLayout(into.shape, staged);
    from.memory.assertHolds(outOf, 'source');
    const source = { array: outOf, memory: from.memory };
    await copyAndWait(from, at(layout, origin), source, origin.memory, failed, rounding);
    to.memory.assertHolds(into, 'destination');
    const destination = { array: into, memory: to.memory };
    await copyAndWait(to, destination, at(layout, target), target.memory, failed, rounding);
  };
}

function at(layout: ArrayDescriptor, { array, memory }: ImportedMemory): Side {
  return { memory, array: replace(layout, { pointer: array.pointer, owner: memory }) };
}

/**
 * Allocates the first buffer as soon as there is memory for it, the others if there is memory now.
 */
async function makeBuffers(
  to: DrivenSide,
  from: DrivenSide,
  byteLength: number,
  count: number,
  signal: AbortSignal | undefined,
): Promise<SharedBuffer[]> {
  for (const provider of [from, to]) {
    if (provider.driver.isSynchronous) continue; // the host needs no staging
    const make = () => makeBuffer(provider, to, from, byteLength);
    const { driver, queue } = provider;
    const place = { queue, memoryKind: 'host' } as const;
    const first = await whenThereIsMemory(driver, place, signal, make);
    if (first === null) continue;
    const buffers = [first];
    try {
      for (let next = more(); next !== null; next = more()) buffers.push(next);
    } catch (error) {
      if (isArrayInterfaceError(error, 'ERR_OUT_OF_MEMORY')) return buffers;
      buffers.forEach(endBuffer);
      throw error;
    }
    return buffers;

    function more(): SharedBuffer | null {
      return buffers.length < count ? make() : null;
    }
  }
  return [];
}

function makeBuffer(
  provider: DrivenSide,
  to: DrivenSide,
  from: DrivenSide,
  byteLength: number,
): SharedBuffer | null {
  const { memory, pointer } = provider.driver.stage(byteLength, provider.queue, 0);
  const bytes = replace(relativeLayout([byteLength], dtype('uint8')), { pointer, owner: memory });
  const own = { memory, array: bytes };
  const other = provider === to ? from : to;
  let imported: ImportedMemory | null = null;
  try {
    imported = other.driver.import(bytes, memory, other.queue);
  } finally {
    if (imported === null) memory.end();
  }
  if (imported === null) return null;
  return provider === to ? { target: own, origin: imported } : { target: imported, origin: own };
}

function endBuffer({ target, origin }: SharedBuffer): void {
  target.memory.end();
  origin.memory.end();
}
