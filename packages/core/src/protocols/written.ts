import { memoryBehind, memoryBrand } from '../descriptor/memory-brand.js';

/**
 * Returns the list itself from its constructor: what a subclass adds to `this`, it adds to the
 * list.
 */
class Given {
  constructor(list: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is what makes it the list
    return list;
  }
}

/**
 * A `data` list that was written for an array of a backend, with the memory that it was written
 * for. A private field of the list takes a tenth of the time of an entry in a WeakMap, and nobody
 * sees it.
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
 * Returns the `data` of a dict. From then on the list leads to the memory behind `owner`, even in a
 * copy of the dict: an address may belong to another array by the time the dict is read. The list
 * keeps the memory from being garbage-collected.
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

/**
 * Returns the owner of what a dict describes: `named`, together with the memory that its `data` was
 * written for.
 */
export function ownerOf(data: unknown, named: unknown): unknown {
  const memory = Written.memoryOf(data);
  return memory === null || memoryBehind(named) === memory ? named : new Owner(memory, named);
}

/** The memory that a dict was written for, and the owner that the reader of the dict named. */
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

/**
 * Returns the owner that a reader named for what a dict written by core describes. Null for other
 * owners.
 */
export function namedOwner(owner: unknown): unknown {
  return owner instanceof Owner ? owner.named : null;
}
