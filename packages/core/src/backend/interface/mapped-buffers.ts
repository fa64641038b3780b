import { nextTask } from '../order/next-task.js';

/** A buffer over memory that JavaScript did not allocate. */
export interface BufferMapping {
  /** The buffer over all requested bytes. */
  readonly buffer: ArrayBuffer;
  /**
   * Detaches the buffer unless it was transferred away. Its bytes, and what a producer's memory
   * needs, stay until the object has been garbage-collected and nothing references its backing
   * store: Node's thread pool may have the address. Never throws.
   */
  end(): void;
}

/** At most this many bytes of ended buffers accumulate before the event loop must run. */
const MOST_BYTES = 64 * 2 ** 20;
/** Memory is allocated in pages, however few bytes were requested. */
const PAGE = 4096;
let endedBytes = 0;

/** A mapping and the address that its memory's arrays have for its first byte. */
interface MappedRange extends BufferMapping {
  readonly pointer: bigint;
}

/** Mappings by memory. The memory is typed as an object, since `memory.ts` imports this file. */
const exposures = new WeakMap<object, MappedRange[]>();
/** Keeps the memory of a buffer alive, which keeps what the buffer needs. */
const memories = new WeakMap<ArrayBuffer, object>();

/** Returns the buffer over a range of a memory: the existing one, or what `make` returns. */
export function mappedRange(
  memory: object,
  pointer: bigint,
  byteLength: number,
  make: () => BufferMapping,
): ArrayBuffer {
  // A buffer that was transferred away is empty.
  const live = (exposures.get(memory) ?? []).filter(({ buffer }) => buffer.byteLength > 0);
  const known = live.find((one) => one.pointer === pointer && one.buffer.byteLength === byteLength);
  if (known !== undefined) return known.buffer;
  const { buffer, end } = make();
  memories.set(buffer, memory);
  exposures.set(memory, [...live, { pointer, buffer, end }]);
  return buffer;
}

/** Detaches all buffers over a memory. */
export function unmapAll(memory: object): void {
  for (const { buffer, end } of exposures.get(memory) ?? []) {
    memories.delete(buffer);
    endedBytes += Math.max(buffer.byteLength, PAGE);
    end();
  }
  exposures.delete(memory);
}

/**
 * Lets the event loop run if many bytes of buffers have ended. Collected buffers free their bytes
 * only then, and a program that only awaits promises might never let it run. Undefined if there are
 * few.
 */
export function letBytesGoBack(): Promise<void> | undefined {
  if (endedBytes < MOST_BYTES) return undefined;
  endedBytes = 0;
  return nextTask().then(nextTask); // all other events have been handled between two timers
}
