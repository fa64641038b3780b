import { nextTask } from '../order/next-task.js';

/** A buffer over memory that is not JavaScript's. */
export interface BufferMapping {
  /** All bytes that were asked for. */
  readonly buffer: ArrayBuffer;
  /**
   * Detaches the buffer, unless it was transferred away. Its bytes, and what a producer's memory needs,
   * stay until the object was collected, and nothing holds its backing store: Node's thread pool may
   * have their address. Never throws.
   */
  end(): void;
}

/** So many bytes of ended buffers may come together before somebody lets the event loop turn. */
const MOST_BYTES = 64 * 2 ** 20;
/** Memory comes in pages, however few bytes were asked for. */
const PAGE = 4096;
let endedBytes = 0;

/** An exposure, and the address that its memory's arrays have for its first byte. */
interface Placed extends BufferMapping {
  readonly pointer: bigint;
}

/** By memory, as an object: a memory ends its buffers, so it imports this file. */
const exposures = new WeakMap<object, Placed[]>();
/** What a buffer needs is kept by its memory. */
const memories = new WeakMap<ArrayBuffer, object>();

/** The buffer over a range of a memory: the one that there is, or what `make` makes. */
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
 * Lets the event loop turn where many bytes of buffers have ended: collected buffers give theirs back
 * then, and a program of promises alone might never let it. Undefined: they are few.
 */
export function letBytesGoBack(): Promise<void> | undefined {
  if (endedBytes < MOST_BYTES) return undefined;
  endedBytes = 0;
  return nextTask().then(nextTask); // between two timers, all other events have had their turn
}
