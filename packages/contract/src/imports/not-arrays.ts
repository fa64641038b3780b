import type { ArrayLike, Backend } from '@array-interface/core';
import { describe, expect, test } from 'vitest';
import { exported } from '../support/exported.js';
import { keepsNothing } from '../support/keeps-nothing.js';
import { expectText, refused } from '../support/refused.js';
import type { Subject } from '../support/subject.js';

const VALUES = [1, 2, 3];
const CODES = ['ERR_TYPE', 'ERR_NO_INTERFACE', 'ERR_ARGUMENT'] as const;

/** A mistake that many make: what they pass for an array, and the call that they meant. */
interface Mistake {
  readonly what: string;
  readonly given: () => unknown;
  /** What the error says. */
  readonly says: string;
  /** What it says to do. Its result is an array of `VALUES`. */
  readonly advised: (given: never) => unknown;
}

interface Strided {
  readonly data: Float32Array;
  readonly shape: readonly number[];
  readonly stride: readonly number[];
}

/** The errors of values in the place of arrays say what to call, and that call works. */
export function notArrays(subject: Subject): void {
  const { backend } = subject;
  const { name } = backend;
  const mistakes: readonly Mistake[] = [
    {
      what: 'a promise',
      given: () => backend.array(VALUES, { dtype: 'float32' }),
      says: 'got a promise; await it',
      advised: async (promise) => await promise,
    },
    {
      what: 'a list',
      given: () => VALUES,
      says: `got a list; make an array of it with await ${name}.array(list)`,
      advised: (list) => backend.array(list),
    },
    {
      what: 'an object with data and shape, as some libraries have them',
      given: () => ({ data: Float32Array.from(VALUES), shape: [3] }),
      says: `got an object with data and shape; make an array of it with await ${name}.array(object.data, { shape: object.shape })`,
      advised: (object: { data: Float32Array; shape: number[] }) =>
        backend.array(object.data, { shape: object.shape }),
    },
    {
      what: 'an object with data, shape and strides, as some libraries have them',
      given: () => ({ data: Float32Array.of(1, 0, 2, 0, 3), shape: [3], stride: [2] }),
      says: `host.asArray(object.data, { shape: object.shape, elementStrides: object.stride })`,
      advised: async ({ data, shape, stride }: Strided) => {
        const layout = { shape, elementStrides: stride };
        if (name === 'host') return backend.asArray(data, layout);
        const all = await backend.array(data); // there is no host here
        return backend.asArray(all, layout);
      },
    },
  ];

  describe('in the place of an array', () => {
    keepsNothing(subject);

    test.each(mistakes)('$what: the advice works', async ({ given, says, advised }) => {
      const value = given();
      using array = backend.empty([3], 'float32');
      for (const { path, call, takesLists = false } of callsWith(backend, value, array)) {
        if (takesLists && Array.isArray(value)) continue;
        const error = await refused(call, ...CODES);
        expect([error.path, error.reason]).toEqual([path, expect.stringContaining(says)]);
      }
      using made = (await advised(value as never)) as Disposable & ArrayLike;
      expect([...(await backend.toTypedArray(made))]).toEqual(VALUES);
    });

    test('a dict without its object: the advice works', async ({ skip }) => {
      if (backend.protocol === null || typeof backend.protocol === 'object') skip();
      using array = await backend.array(VALUES, { dtype: 'float32' });
      const { dict, attribute } = exported(array);
      const error = await refused(() => backend.asArray(dict as never), 'ERR_NO_INTERFACE');
      expect(error.reason).toContain(
        `got the dict itself; pass the object that it describes, or { ${attribute}: dict }`,
      );
      using again = backend.asArray({ [attribute]: dict } as never);
      expect([...(await backend.toTypedArray(again))]).toEqual(VALUES);
    });

    test('nothing at all, and other values', async () => {
      using array = backend.empty([3], 'float32');
      for (const value of [undefined, null, 'text', Symbol('s'), () => 0, {}, new Map(), /x/]) {
        for (const { call } of callsWith(backend, value, array)) {
          expectText(await refused(call, ...CODES));
        }
      }
    });
  });

  describe('a method that returns a promise never throws', () => {
    keepsNothing(subject);

    test('whatever it is called with, and on', async () => {
      using array = await backend.array(VALUES, { dtype: 'float32' });
      const methods = ['array', 'copy', 'fill', 'toTypedArray', 'launch', 'use', 'synchronize', 'whenKernelsReady'] as const; // biome-ignore format: one line
      const wrong = [undefined, null, 5, 'x', Symbol('s'), {}, () => 0, array];
      for (const method of methods) {
        const taken = backend[method] as (...values: unknown[]) => Promise<unknown>;
        for (const value of wrong) {
          const returned = [
            taken(value, value, value), // taken off its backend
            taken.call(backend, value, value, value),
            taken.call(backend, array, value, value),
            taken.call(backend, array, array, value),
          ];
          expect(returned.map((one) => one instanceof Promise)).toEqual([true, true, true, true]);
          for (const result of await Promise.allSettled(returned)) {
            if (result.status === 'fulfilled' && isOwned(result.value)) {
              result.value[Symbol.dispose]();
            }
          }
        }
      }
    });
  });
}

function isOwned(value: unknown): value is Disposable {
  return typeof value === 'object' && value !== null && Symbol.dispose in value;
}

/** Each call that takes an array, with `value` for it, and the path that its error has. */
function callsWith(backend: Backend, value: unknown, array: ArrayLike) {
  const wrong = value as ArrayLike;
  return [
    { path: 'producer', call: () => backend.asArray(wrong) },
    { path: 'destination', call: () => backend.copy(wrong, array) },
    { path: 'source', call: () => backend.copy(array, wrong) },
    { path: 'destination', call: () => backend.fill(wrong, 1) },
    { path: 'source', call: () => backend.toTypedArray(wrong) },
    { path: 'source', call: () => backend.array(wrong), takesLists: true },
    { path: 'array', call: () => backend.zerosLike(wrong), takesLists: true },
    { path: 'array', call: () => backend.take(wrong, [0]), takesLists: true },
    { path: 'indices', call: () => backend.take(array, wrong), takesLists: true },
    { path: 'values', call: () => backend.put(array, [0], wrong), takesLists: true },
    { path: 'mask', call: () => backend.where(wrong, 1, 2), takesLists: true },
    { path: 'b', call: () => backend.where([true], 1, wrong), takesLists: true },
    { path: 'arrays[1]', call: () => backend.concat([array, wrong]), takesLists: true },
    { path: 'b', call: () => backend.allClose(array, wrong), takesLists: true },
    {
      path: 'writes[0]',
      call: async () => {
        using queue = backend.createQueue();
        await backend.use(queue, { writes: [wrong] }, () => {});
      },
    },
  ];
}
