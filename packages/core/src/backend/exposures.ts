/** A buffer over memory that is not JavaScript's. */
export interface Exposure {
  /** All bytes that were asked for. */
  readonly buffer: ArrayBuffer;
  /** Detaches the buffer, unless it was transferred away. Never throws. */
  end(): void;
}

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

/** Detaches all buffers over a memory. */
export function endExposures(memory: object): void {
  for (const { buffer, end } of exposures.get(memory) ?? []) {
    memories.delete(buffer);
    end();
  }
  exposures.delete(memory);
}
