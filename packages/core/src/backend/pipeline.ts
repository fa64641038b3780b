import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { replace } from '../descriptor/descriptor.js';
import type { DType } from '../dtype/dtype.js';
import { dtype } from '../dtype/read-dtype.js';
import { isArrayInterfaceError } from '../errors/error.js';
import { chunksOf } from './chunks.js';
import { copyAndWait } from './copy-and-wait.js';
import type { CopyStrategy } from './copy-strategy.js';
import type { ImportedMemory } from './driver.js';
import { whenThereIsMemory } from './patience.js';
import { relativeLayout } from './relative-layout.js';
import type { DrivenSide, Side } from './side.js';
import { stagedDType } from './staged-dtype.js';
import type { Worker } from './workers.js';

/** What a buffer holds: small enough that a cache still has it when the other side reads it. */
const CHUNK_BYTES = 2 * 1024 * 1024;
/** Buffers that are filled and emptied in turn: one side reads into some, the other writes from others. */
const BUFFERS = 8;

/** Memory of one side that the other reaches, too, as each of the two sees it. */
interface SharedBuffer {
  readonly target: ImportedMemory;
  readonly origin: ImportedMemory;
}

/**
 * The strategy through a few buffers that both queues reach, used again and again: as many as there is
 * memory for at once; for a single one it waits as long as some is on its way. Numbers are converted on
 * whichever side makes them smaller. Null where neither side reaches such memory of the other. Rejects
 * with ERR_OUT_OF_MEMORY.
 */
export async function pipeline(
  to: DrivenSide,
  from: DrivenSide,
  chunkBytes: number = CHUNK_BYTES,
  signal?: AbortSignal,
): Promise<CopyStrategy | null> {
  const staged = stagedDType(to.array, from.array);
  const elements = Math.min(to.array.size, Math.max(1, Math.floor(chunkBytes / staged.itemsize)));
  const count = Math.min(BUFFERS, Math.ceil(to.array.size / elements));
  const buffers = await makeBuffers(to, from, elements * staged.itemsize, count, signal);
  if (buffers.length === 0) return null;
  return {
    chunks: chunksOf(to.array, from.array, elements * to.array.itemsize),
    workers: buffers.map((buffer) => makeWorker(buffer, to, from, staged)),
    end: () => buffers.forEach(endBuffer),
  };
}

function makeWorker(
  { target, origin }: SharedBuffer,
  to: DrivenSide,
  from: DrivenSide,
  staged: DType,
): Worker {
  return async (into, outOf, failed) => {
    const layout = relativeLayout(into.shape, staged);
    from.memory.assertHolds(outOf, 'source');
    const source = { array: outOf, memory: from.memory };
    await copyAndWait(from, at(layout, origin), source, origin.memory, failed);
    to.memory.assertHolds(into, 'destination');
    const destination = { array: into, memory: to.memory };
    await copyAndWait(to, destination, at(layout, target), target.memory, failed);
  };
}

function at(layout: ArrayDescriptor, { array, memory }: ImportedMemory): Side {
  return { memory, array: replace(layout, { pointer: array.pointer, owner: memory }) };
}

/** The first as soon as there is memory for it, the others where there is some now. */
async function makeBuffers(
  to: DrivenSide,
  from: DrivenSide,
  byteLength: number,
  count: number,
  signal: AbortSignal | undefined,
): Promise<SharedBuffer[]> {
  for (const provider of [from, to]) {
    if (provider.driver.worksAtOnce) continue; // the host needs none of its own
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
