import { memoryBehind, memoryBrand } from '../descriptor/memory-brand.js';

/** A list as it is: what a class that extends this adds to itself, it adds to the list. */
class Given {
  constructor(list: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is what makes it the list
    return list;
  }
}

/**
 * A `data` list that was written for an array of a backend, and the memory that it was written for.
 * A private field of the list takes a tenth of the time of an entry in a WeakMap, and nobody sees it.
 */
class Written extends Given {
  readonly #memory: object;

  constructor(data: object, memory: object) {
    super(data);
    this.#memory = memory;
  }

  static memoryOf(data: unknown): object | null {
    return typeof data === 'object' && data !== null && #memory in data ? data.#memory : null;
  }
}

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
  if (memory !== null) new Written(data, memory);
  return data;
}

/** The owner of what a dict describes: `named`, with the memory that its `data` was written for. */
export function ownerOf(data: unknown, named: unknown): unknown {
  const memory = Written.memoryOf(data);
  return memory === null || memoryBehind(named) === memory ? named : new Owner(memory, named);
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
