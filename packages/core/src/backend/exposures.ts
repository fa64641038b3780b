import { nextTask } from './next-task.js';

/** A buffer over memory that is not JavaScript's. */
export interface Exposure {
  /** All bytes that were asked for. */
  readonly buffer: ArrayBuffer;
  /**
   * Detaches the buffer, unless it was transferred away. Its bytes stay until native code that holds
   * them has let go, as of Node's thread pool, and the event loop has turned. Never throws.
   */
  end(): void;
}

/** So many bytes may wait for a turn of the event loop before somebody waits for one. */
const MOST_WAITING = 64 * 2 ** 20;
let waiting = 0;

/** An exposure, and the address that its memory's arrays have for its first byte. */
interface Placed extends Exposure {
  readonly pointer: bigint;
}

/** By memory, as an object: a memory ends its buffers, so it imports this file. */
const exposures = new WeakMap<object, Placed[]>();
/** What a buffer needs is kept by its memory. */
const memories = new WeakMap<ArrayBuffer, object>();

/** The buffer over a range of a memory: the one that there is, or what `make` makes. */
export function exposedRange(
  memory: object,
  pointer: bigint,
  byteLength: number,
  make: () => Exposure,
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

/** Ends an exposure. */
export function endExposure({ buffer, end }: Exposure): void {
  waiting += buffer.byteLength;
  end();
}

/** Detaches all buffers over a memory. */
export function endExposures(memory: object): void {
  for (const one of exposures.get(memory) ?? []) {
    memories.delete(one.buffer);
    endExposure(one);
  }
  exposures.delete(memory);
}

/**
 * Settles when bytes of ended exposures have gone back, where many wait for a turn of the event loop:
 * a program of promises alone might never let it turn. Undefined: few do.
 */
export function bytesGoneBack(): Promise<void> | undefined {
  if (waiting < MOST_WAITING) return undefined;
  waiting = 0;
  return nextTask().then(nextTask); // between two timers, all other events have had their turn
}
