import type { ArrayLike, Backend, BackendArray, OwnedArray, Producer } from '@array-interface/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Block } from '../support/block.js';
import { type Exported, exported } from '../support/exported.js';
import { random } from '../support/random-cases.js';
import { allRefused, refused } from '../support/refused.js';
import type { Subject } from '../support/subject.js';

/**
 * From one byte to memory with its own pages, around the sizes at which allocators change their
 * strategy.
 */
const SIZES = [1, 63, 64, 65, 1000, 4096, 32_769, 100_000, 1 << 20, 16 << 20];

/** Ways in which a dict, or another reference to the same memory, is read later. */
const WAYS: readonly [string, (dict: Exported) => Producer][] = [
  ['the dict', ({ attribute, dict }) => ({ [attribute]: dict }) as unknown as Producer],
  ['a copy of the dict', (one) => one.producer()],
  ['the dict with other keys', (one) => one.producer({ strides: null, shape: [1] })],
];

/** A dict may outlive its array. It must never lead to other memory. */
export function staleDicts({ backend, runs = 100 }: Subject): void {
  describe('a dict whose array is disposed', () => {
    test.each(SIZES)('of %i bytes leads nowhere, even if its memory is reused', async (size) => {
      using bystander = await Block.make(backend, 64, 1);
      const array = backend.empty([size], 'uint8');
      void backend.fill(array, 1); // pending, if the backend has queues
      const { pointer } = array;
      const stale = exported(array);
      array[Symbol.dispose]();
      await leadNowhere(backend, stale, bystander.array);
      await refused(() => backend.asArray(claimOf(stale)), 'ERR_POINTER_UNKNOWN');
      await backend.synchronize();
      await leadNowhere(backend, stale, bystander.array);
      const others = takeAgain(backend, size, pointer);
      await leadNowhere(backend, stale, bystander.array);
      for (const other of others) other[Symbol.dispose]();
      await refused(() => backend.asArray(claimOf(stale)), 'ERR_POINTER_UNKNOWN');
      await bystander.verify();
    });

    test('of a loan leads nowhere, although its owner lives', async () => {
      using array = await backend.array(Uint8Array.of(1, 2, 3));
      const loan = backend.asArray(array);
      const stale = exported(loan);
      loan[Symbol.dispose]();
      await leadNowhere(backend, stale, array);
      using again = backend.asArray(claimOf(stale)); // an address says nothing about an owner
      expect(await backend.toTypedArray(again)).toEqual(Uint8Array.of(1, 2, 3));
    });

    test('of a view leads nowhere', async () => {
      using other = await backend.array(Uint8Array.of(1, 2, 3));
      const array = await backend.array(Uint8Array.of(4, 5, 6));
      const stale = exported(array.slice([[1, 3]]));
      array[Symbol.dispose]();
      await leadNowhere(backend, stale, other);
    });

    test('of a mask leads nowhere, although its array lives', async () => {
      using array = await backend.array(Uint8Array.of(1, 2, 3));
      const { attribute } = exported(array);
      if (attribute === '__sycl_usm_array_interface__') return; // it has no masks
      const mask = await backend.array(Uint8Array.of(0, 1, 0));
      const { dict, producer } = exported(mask);
      // Masks of an interface of a backend's own are NumPy's, if it has any.
      const isOwn = typeof backend.protocol !== 'string';
      const stale = isOwn ? { __array_interface__: dict } : producer();
      const masked = () => backend.asArray(exported(array).producer({ mask: stale }));
      masked()[Symbol.dispose]();
      mask[Symbol.dispose]();
      const { path } = await refused(masked, 'ERR_DISPOSED');
      expect(path).toBe('mask.data');
    });

    test.each<[string, (loan: BackendArray) => Producer]>([
      ...WAYS.slice(0, 2).map(([name, way]): [string, (loan: BackendArray) => Producer] => [
        name,
        (loan) => way(exported(loan)),
      ]),
      ['its address', (loan) => claimOf(exported(loan))],
    ])('%s is valid while a loan lives, since a loan is an owner', async (_, lead) => {
      const array = await backend.array(Uint8Array.of(1, 2, 3));
      const loan = backend.asArray(exported(array).producer());
      array[Symbol.dispose]();
      const producer = lead(loan);
      const next = backend.asArray(producer);
      await backend.fill(producer, 7);
      loan[Symbol.dispose]();
      expect(await backend.toTypedArray(next)).toEqual(Uint8Array.of(7, 7, 7));
      const stale = exported(next);
      next[Symbol.dispose]();
      await refused(() => backend.asArray(stale.producer()), 'ERR_DISPOSED');
      await refused(() => backend.asArray(claimOf(stale)), 'ERR_POINTER_UNKNOWN');
    });

    const settings = random(Math.ceil(runs / 10));
    test(`never leads to another's memory, seed ${settings.seed}`, async () => {
      const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) =>
        new Arrays(backend).run(steps),
      );
      await fc.assert(property, settings);
    });
  });
}

/** What another thread, or JSON, would have: the same keys, and an address. */
function claimOf({ attribute, dict }: Exported): Producer {
  const { syclobj, ...keys } = dict;
  const plain = JSON.stringify(keys, (_, value) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
  const claim = { ...JSON.parse(plain), ...(syclobj === undefined ? {} : { syclobj }) };
  return { [attribute]: claim } as unknown as Producer;
}

async function leadNowhere(backend: Backend, stale: Exported, other: BackendArray): Promise<void> {
  const uses = WAYS.flatMap(([, way]) => usesOf(backend, way(stale), other));
  await allRefused('ERR_DISPOSED', ...uses);
}

function usesOf(backend: Backend, producer: ArrayLike, other: BackendArray) {
  return [
    () => backend.asArray(producer),
    () => backend.asArray(producer, { bounds: 'trust' }),
    () => backend.fill(producer, 9),
    () => backend.copy(producer, other.slice([[0, 1]])),
    () => backend.toTypedArray(producer),
    () => backend.array(producer),
    () => backend.use(backend.createQueue(), { writes: [producer] }, () => {}),
  ];
}

/** Allocates arrays of a size, until one reuses another's address. */
function takeAgain(backend: Backend, size: number, pointer: bigint): OwnedArray<BackendArray>[] {
  const others: OwnedArray<BackendArray>[] = [];
  for (let i = 0; i < 4 && others.at(-1)?.pointer !== pointer; i++) {
    others.push(backend.empty([size], 'uint8'));
  }
  return others;
}

interface Step {
  readonly kind: 'make' | 'end' | 'read';
  readonly power: number;
  readonly pick: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('make', 'end', 'read'),
  power: fc.double({ min: 0, max: 24, noNaN: true }),
  pick: fc.nat(),
});

/**
 * Arrays that are made and disposed, each filled with its own number, and the dicts of those
 * disposed.
 */
class Arrays {
  readonly #backend: Backend;
  readonly #live: { readonly array: OwnedArray<BackendArray>; readonly value: number }[] = [];
  readonly #stale: Exported[] = [];
  #next = 1;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  async run(steps: readonly Step[]): Promise<void> {
    try {
      for (const one of steps) await this[one.kind](one);
      for (const { array, value } of this.#live) {
        const bytes = await this.#backend.toTypedArray(array);
        expect((bytes as Uint8Array).every((byte) => byte === value)).toBe(true);
      }
    } finally {
      for (const { array } of this.#live) array[Symbol.dispose]();
    }
  }

  make({ power }: Step): void {
    const array = this.#backend.empty([Math.floor(2 ** power)], 'uint8');
    const value = this.#next++ % 200;
    void this.#backend.fill(array, value);
    this.#live.push({ array, value });
  }

  end({ pick }: Step): void {
    const [ended] = this.#live.splice(pick % Math.max(1, this.#live.length), 1);
    if (ended === undefined) return;
    this.#stale.push(exported(ended.array));
    ended.array[Symbol.dispose]();
  }

  async read({ pick }: Step): Promise<void> {
    const stale = this.#stale[pick % Math.max(1, this.#stale.length)];
    if (stale === undefined) return;
    await allRefused(
      'ERR_DISPOSED',
      () => this.#backend.asArray(stale.producer()),
      () => this.#backend.fill(stale.producer(), 255),
    );
    this.#readAddress(stale);
  }

  /** An address is valid if its elements lie in a live array. */
  #readAddress(stale: Exported): void {
    let loan: OwnedArray<BackendArray>;
    try {
      loan = this.#backend.asArray(claimOf(stale));
    } catch {
      return;
    }
    const { pointer, nbytes } = loan;
    loan[Symbol.dispose]();
    const holder = this.#live.find(
      ({ array }) =>
        pointer >= array.pointer &&
        pointer + BigInt(nbytes) <= array.pointer + BigInt(array.nbytes),
    );
    expect(holder).toBeDefined();
  }
}
