import type { ArrayDescriptor } from '../descriptor.js';
import { type DType, dtype } from '../dtype.js';
import { isArrayInterfaceError } from '../error.js';
import { type End, ended, type Guest } from './end.js';
import type { Lane } from './lanes.js';
import type { Memory } from './memory.js';
import { parts } from './parts.js';
import { relativeLayout } from './relative-layout.js';
import type { Way } from './way.js';

/** What a chunk holds: small enough that a cache still has it when the other side reads it. */
const CHUNK_BYTES = 2 * 1024 * 1024;
/** Chunks that are filled and emptied in turn: one side reads into some, the other writes from others. */
const CHUNKS = 8;

/** Pinned memory as the two sides see it. */
interface Chunk {
  readonly target: Guest;
  readonly origin: Guest;
}

/**
 * The way of a copy through a few chunks of pinned memory that both queues reach, used again and
 * again: as many as there is memory for. Numbers are converted on whichever side makes the chunk
 * smaller. Null where one side reaches no pinned memory of the other's. Throws ERR_OUT_OF_MEMORY where
 * there is none for a single one.
 */
export function pipeline(to: End, from: End, chunkBytes: number = CHUNK_BYTES): Way | null {
  const staged = stagedDType(to.array, from.array);
  const elements = Math.min(to.array.size, Math.max(1, Math.floor(chunkBytes / staged.itemsize)));
  const count = Math.min(CHUNKS, Math.ceil(to.array.size / elements));
  const providers = [from, to].filter((one) => !one.worksAtOnce); // the host needs none of its own
  const chunks: Chunk[] = [];
  const end = () => chunks.splice(0).forEach(release);
  try {
    while (chunks.length < count) {
      const chunk = makeChunk(providers, to, from, elements * staged.itemsize);
      if (chunk === null) break;
      chunks.push(chunk);
    }
  } catch (error) {
    const isFull = isArrayInterfaceError(error, 'ERR_OUT_OF_MEMORY') && chunks.length > 0;
    if (!isFull) {
      end();
      throw error;
    }
  }
  if (chunks.length === 0) return null;
  const pairs = parts(to.array, from.array, elements * to.array.itemsize);
  return { pairs, lanes: chunks.map((chunk) => laneOf(chunk, to, from, staged)), end };
}

/** What goes through the chunks: the smaller of the two. */
export function stagedDType(to: ArrayDescriptor, from: ArrayDescriptor): DType {
  return to.itemsize < from.itemsize ? to.dtype : from.dtype;
}

function laneOf({ target, origin }: Chunk, to: End, from: End, staged: DType): Lane {
  return async (into, outOf) => {
    from.check(outOf);
    const layout = relativeLayout(into.shape, staged);
    await ended(from, from.move(at(layout, origin), origin.memory, outOf, from.memory));
    to.check(into);
    await ended(to, to.move(into, to.memory, at(layout, target), target.memory));
  };
}

function at(layout: ArrayDescriptor, { array, memory }: Guest): ArrayDescriptor {
  return layout.with({ pointer: array.pointer, owner: memory });
}

/** Memory of one side that the other reaches, too; a side whose memory it does not is asked no more. */
function makeChunk(providers: End[], to: End, from: End, byteLength: number): Chunk | null {
  const bytes = relativeLayout([byteLength], dtype('uint8'));
  for (let provider = providers[0]; provider !== undefined; provider = providers[0]) {
    const { memory, pointer } = provider.stage(byteLength);
    memory.retain();
    const own = { memory, array: bytes.with({ pointer, owner: memory }) };
    let guest: Guest | null = null;
    try {
      guest = (provider === to ? from : to).guest(own.array, memory);
    } finally {
      if (guest === null) memory.release();
    }
    if (guest !== null) {
      guest.memory.retain();
      return provider === to ? { target: own, origin: guest } : { target: guest, origin: own };
    }
    providers.shift();
  }
  return null;
}

function release({ target, origin }: Chunk): void {
  for (const memory of new Set<Memory>([target.memory, origin.memory])) memory.release();
}
