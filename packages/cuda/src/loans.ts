import type { AllocatedMemory } from './allocated-memory.js';

/**
 * Our own blocks by address, so that a loan through an interface dict keeps its block. Several may
 * be at one address: a ticket that is opened twice is mapped once.
 */
export class Loans {
  readonly #blocks = new Map<bigint, readonly WeakRef<AllocatedMemory>[]>();

  add(memory: AllocatedMemory): void {
    this.#keep(memory.pointer, [...this.#live(memory.pointer), memory]);
  }

  /** A live block that starts at an address, or null. */
  find(pointer: bigint): AllocatedMemory | null {
    return this.#live(pointer)[0] ?? null;
  }

  delete(memory: AllocatedMemory): void {
    const { pointer } = memory;
    this.#keep(
      pointer,
      this.#live(pointer).filter((one) => one !== memory),
    );
  }

  #live(pointer: bigint): AllocatedMemory[] {
    const blocks = (this.#blocks.get(pointer) ?? []).flatMap((block) => block.deref() ?? []);
    return blocks.filter((block) => !block.ended);
  }

  #keep(pointer: bigint, blocks: readonly AllocatedMemory[]): void {
    if (blocks.length === 0) this.#blocks.delete(pointer);
    else
      this.#blocks.set(
        pointer,
        blocks.map((block) => new WeakRef(block)),
      );
  }
}
