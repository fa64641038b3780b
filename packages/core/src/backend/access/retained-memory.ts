import { answersWithMemory, type Memory } from '../interface/memory.js';

const brand = Symbol.for('array-interface.kept-memory');

/**
 * The owner of descriptors for running work that retains a memory. They are valid until the work
 * releases it, even if the array's owner was disposed meanwhile.
 */
export class RetainedMemory {
  /** Retained by the creator of this object. */
  readonly memory: Memory;

  static {
    answersWithMemory(RetainedMemory.prototype, ({ memory }) => memory);
    Object.defineProperty(RetainedMemory.prototype, brand, { value: true });
  }

  constructor(memory: Memory) {
    this.memory = memory;
  }
}

/**
 * Throws ERR_DISPOSED for memory that its owner has ended. For running work that retains its
 * memory, throws only if nobody retains it any more.
 */
export function assertUsable(owner: unknown, memory: Memory, path: string): void {
  const isKept = owner !== memory && (owner as { readonly [brand]?: unknown })[brand] === true;
  if (isKept) memory.assertHeld(path);
  else memory.assertLive(path);
}
