import type { AllocatedMemory } from './allocated-memory.js';

/** Our own blocks by address, so that a loan through an interface dict keeps its block. */
export class Loans {
  readonly #blocks = new Map<bigint, WeakRef<AllocatedMemory>>();

  add(memory: AllocatedMemory): void {
    this.#blocks.set(memory.pointer, new WeakRef(memory));
  }

  /** The live block that starts at an address, or null. */
  find(pointer: bigint): AllocatedMemory | null {
    const memory = this.#blocks.get(pointer)?.deref();
    return memory === undefined || memory.ended ? null : memory;
  }

  delete(memory: AllocatedMemory): void {
    if (this.#blocks.get(memory.pointer)?.deref() === memory) this.#blocks.delete(memory.pointer);
  }
}
