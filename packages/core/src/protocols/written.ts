import { memoryBehind, memoryBrand } from '../descriptor/memory-brand.js';

/** The memory of each `data` list that was written for an array of a backend. */
const written = new WeakMap<object, object>();

/**
 * The `data` of a dict. From then on the list leads to the memory behind `owner`, also in a copy of
 * the dict: an address may be another array's by the time that the dict is read. It keeps the memory
 * from being collected.
 */
export function writeData(
  pointer: bigint,
  readOnly: boolean,
  owner: unknown,
): readonly [pointer: bigint, readOnly: boolean] {
  const data = [pointer, readOnly] as const;
  const memory = memoryBehind(owner);
  if (memory !== null) written.set(data, memory);
  return data;
}

/** The owner of what a dict describes: `named`, with the memory that its `data` was written for. */
export function ownerOf(data: unknown, named: unknown): unknown {
  const memory = written.get(data as object);
  return memory === undefined || memoryBehind(named) === memory ? named : new Owner(memory, named);
}

/** The memory that a dict was written for, and what the reader of the dict names as its owner. */
class Owner {
  readonly #memory: object;
  readonly named: unknown;

  constructor(memory: object, named: unknown) {
    this.#memory = memory;
    this.named = named;
  }

  get [memoryBrand](): object {
    return this.#memory;
  }
}

/** What a reader has named as the owner of what a dict of ours describes; null for other owners. */
export function namedOwner(owner: unknown): unknown {
  return owner instanceof Owner ? owner.named : null;
}
