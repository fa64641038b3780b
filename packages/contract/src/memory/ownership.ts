import type { ArrayLike, Backend } from '@array-interface/core';
import { BackendArray } from '@array-interface/core/backend';
import { describe, expect, test } from 'vitest';
import { Block } from '../support/block.js';
import { collect } from '../support/collect.js';
import { exported } from '../support/exported.js';
import { liveMemory } from '../support/live-memory.js';
import { allRefused, refused } from '../support/refused.js';
import type { Subject } from '../support/subject.js';

/**
 * An array that allocates or borrows is an owner. A view refers to its owner, keeps it alive and
 * frees nothing.
 */
export function ownership(subject: Subject): void {
  const { backend } = subject;
  const eightOf = (bytes: Uint8Array) =>
    Promise.all(Array.from({ length: 8 }, () => backend.array(bytes)));

  describe('ownership', () => {
    test('views name the one owner as their base, and cannot be disposed', async () => {
      using array = await backend.array(Uint8Array.of(1, 2, 3, 4));
      expect(array.base).toBeNull();
      const view = array.reshape([2, 2]);
      expect(view.base).toBe(array);
      expect(view.transpose().slice([0]).base).toBe(array);
      expect(typeof array[Symbol.dispose]).toBe('function');
      expect(Symbol.dispose in view).toBe(false);
      expect(() => {
        using _ = view as unknown as Disposable;
      }).toThrow(TypeError);
      using loan = backend.asArray(view);
      expect(loan.base).toBeNull();
      expect(loan.flip().base).toBe(loan);
    });

    test('after disposal, metadata can be read, and the memory cannot be reached', async () => {
      using block = await Block.make(backend, 24, 5);
      const array = backend.empty([4, 6], 'uint8');
      const view = array.slice([[0, 2]]);
      const kept = [array.descriptor, view.descriptor];
      array[Symbol.dispose]();
      array[Symbol.dispose]();
      for (const one of [array, view]) await ended(backend, one, block.array);
      expect([array.shape, view.shape]).toEqual([
        [4, 6],
        [2, 6],
      ]);
      for (const descriptor of kept) {
        await allRefused(
          'ERR_DISPOSED',
          () => backend.toTypedArray(descriptor),
          () => backend.fill(descriptor, 1),
          () => backend.asArray(descriptor),
        );
      }
      await block.verify();
    });

    test('after disposal, every other member of the class refuses', async () => {
      using queue = backend.createQueue();
      const array = backend.empty([1], 'uint8');
      const view = array.reshape([1]);
      array[Symbol.dispose]();
      const names = Object.getOwnPropertyNames(BackendArray.prototype);
      for (const name of names.filter((name) => !OF_DISPOSED.has(name))) {
        for (const one of [array, view]) {
          const call = async () => {
            const member: unknown = Reflect.get(one, name);
            const given = ARGUMENTS[name] ?? (name === 'recordUse' ? [queue] : []);
            return typeof member === 'function' ? member.apply(one, given) : member;
          };
          await expect(call(), name).rejects.toMatchObject({ code: 'ERR_DISPOSED', path: 'array' });
        }
      }
    });

    test('disposing a loan ends only that loan', async () => {
      using array = await backend.array(Uint8Array.of(1, 2, 3));
      for (const producer of [array, array.descriptor, exported(array).producer()]) {
        const loan = backend.asArray(producer);
        loan[Symbol.dispose]();
        expect([loan.disposed, array.disposed]).toEqual([true, false]);
        await refused(() => backend.toTypedArray(loan), 'ERR_DISPOSED');
        expect(await backend.toTypedArray(array)).toEqual(Uint8Array.of(1, 2, 3));
      }
    });

    test.each<[string, (array: BackendArray) => ArrayLike]>([
      ['the array', (array) => array],
      ['its descriptor', (array) => array.descriptor],
      ['a view', (array) => array.slice([[0, 3]])],
      ['its dict', (array) => exported(array).producer()],
      ['the dict of a view', (array) => exported(array.slice([[0, 3]])).producer()],
    ])(
      'the memory stays while a loan of %s lives, although its owner is disposed',
      async (_, lent) => {
        const array = await backend.array(Uint8Array.of(1, 2, 3));
        using loan = backend.asArray(lent(array));
        const second = backend.asArray(lent(loan));
        const place = () => {
          const { memoryKind, allocation } = backend.inspectPointer(loan.pointer);
          return { memoryKind, allocation };
        };
        const known = place();
        array[Symbol.dispose]();
        await refused(() => backend.asArray(array), 'ERR_DISPOSED');
        second[Symbol.dispose]();
        const others = await eightOf(Uint8Array.of(4, 5, 6));
        expect(others.map(({ pointer }) => pointer)).not.toContain(loan.pointer);
        expect(place()).toEqual(known);
        expect(await backend.toTypedArray(loan)).toEqual(Uint8Array.of(1, 2, 3));
        for (const other of others) other[Symbol.dispose]();
      },
    );

    test('a view alone keeps its owner from being collected', async () => {
      const { view, owner } = await lonelyView(backend);
      const others = await eightOf(new Uint8Array(64));
      await collect();
      expect(owner.deref()).toBe(view.base);
      expect(await backend.toTypedArray(view)).toEqual(Uint8Array.of(9, 9));
      for (const other of others) other[Symbol.dispose]();
      view.base?.[Symbol.dispose]();
    });

    test('memory that nothing refers to is freed without being disposed', async () => {
      const goesBack = await liveMemory(subject, { garbage: true });
      for (let i = 0; i < 8; i++) await lonelyView(backend);
      await goesBack();
    });
  });
}

/** What a disposed array still has, and what only its class calls. */
const OF_DISPOSED = new Set(
  (
    'constructor backend shape ndim size dtype itemsize nbytes byteStrides elementStrides contiguous ' +
    'readOnly disposed toJSON toString dispose viewAs'
  ).split(' '),
);

/** With what the members are called that take arguments, on an array of one number. */
const ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  slice: [[0]],
  permuteDims: [[0]],
  reshape: [[1, 1]],
  broadcastTo: [[2, 1]],
  expandDims: [0],
  squeeze: [0],
  field: ['x'],
  view: ['int8'],
};

/**
 * Expects errors from everything that accesses a disposed array's memory, and none from its
 * metadata.
 */
async function ended(backend: Backend, array: BackendArray, other: BackendArray): Promise<void> {
  expect(array).toMatchObject({
    ...{ disposed: true, readOnly: false, dtype: { typestr: '|u1' } },
    ...{ byteStrides: [6, 1], elementStrides: [6, 1] },
  });
  await allRefused(
    'ERR_DISPOSED',
    () => array.pointer,
    () => array.descriptor,
    () => array.flip(),
    () => array.synchronize(),
    () => exported(array),
    () => backend.asArray(array),
    () => backend.copy(array, other),
    () => backend.copy(other, array),
    () => backend.toTypedArray(array),
  );
}

/** A view whose owner only the view keeps alive. */
async function lonelyView(backend: Backend) {
  const array = await backend.array(new Uint8Array(64));
  await backend.fill(array, 9);
  return { view: array.slice([[3, 5]]), owner: new WeakRef(array) };
}
