import { answersWithMemory, type Memory } from '../interface/memory.js';

const brand = Symbol.for('array-interface.kept-memory');

/**
 * The owner of descriptors for work under way that keeps a memory. They are good until that lets go of
 * it, also when the array's owner was disposed of meanwhile.
 */
export class RetainedMemory {
  /** Kept by whoever makes this. */
  readonly memory: Memory;

  constructor(memory: Memory) {
    this.memory = memory;
  }
}

answersWithMemory(RetainedMemory.prototype, ({ memory }) => memory);
Object.defineProperty(RetainedMemory.prototype, brand, { value: true });

/** Throws ERR_DISPOSED for memory that its owner has ended, or that nobody keeps where work under way does. */
export function assertUsable(owner: unknown, memory: Memory, path: string): void {
  const isKept = owner !== memory && (owner as { readonly [brand]?: unknown })[brand] === true;
  if (isKept) memory.assertHeld(path);
  else memory.assertLive(path);
}
