import { type ArrayLike, type Backend, makeDescriptor } from '@array-interface/core';
import { describe, expect, test } from 'vitest';
import { kernelsOf } from '../kernels/kernels-of.js';
import { exported } from '../support/exported.js';
import { keepsNothing } from '../support/keeps-nothing.js';
import { expectText, refused } from '../support/refused.js';
import type { BackendSubject } from '../support/subject.js';

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

/** The errors of values in the place of arrays say what to call, and that call works. */
export function notArrays(subject: BackendSubject): void {
  const { backend } = subject;
  const { name } = backend;
  const view = `{ shape: object.shape, elementStrides: object.stride, elementOffset: object.offset }`;
  const copied = name === 'host' ? '' : `, and copy that with await ${name}.array()`;
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
      what: 'such an object with strides, as those of zarrita and @stdlib',
      given: () => ({ data: Float32Array.of(3, 2, 1), shape: [3], stride: [-1], offset: 2 }),
      says: `got an object with data and shape; view it with host.asArray(object.data, ${view})${copied}`,
      advised: (object: Strided) => backend.array(viewed(object)),
    },
  ];

  describe('in the place of an array', () => {
    keepsNothing(subject);

    test.each(mistakes)('$what: the advice works', async ({ given, says, advised }) => {
      const value = given();
      using array = backend.empty([3], 'float32');
      for (const { path, call, takesLists } of callsWith(subject, value, array)) {
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
      for (const { path, call } of callsWith(subject, dict, array)) {
        const error = await refused(call, ...CODES);
        const says = `got the dict itself; pass the object that it describes, or { ${attribute}: dict }`;
        expect([error.path, error.reason]).toEqual([path, expect.stringContaining(says)]);
      }
      using again = backend.asArray({ [attribute]: dict } as never);
      expect([...(await backend.toTypedArray(again))]).toEqual(VALUES);
    });

    test('a number', async () => {
      using array = backend.empty([3], 'float32');
      for (const { path, call, takesLists } of callsWith(subject, 5, array)) {
        if (takesLists) continue; // and numbers
        const error = await refused(call, ...CODES);
        const says = `got 5; make an array of it with await ${name}.array(value)`;
        expect([error.path, error.reason]).toEqual([path, expect.stringContaining(says)]);
      }
    });

    test('an array that was disposed', async () => {
      using array = backend.empty([3], 'float32');
      const ended = backend.empty([3], 'float32');
      ended.dispose();
      for (const { call } of callsWith(subject, ended, array)) {
        const { reason } = await refused(call, 'ERR_DISPOSED');
        expect(reason).toContain('dispose of it after the last use of it and its views');
      }
    });

    test('nothing at all, and other values', async () => {
      using array = backend.empty([3], 'float32');
      for (const { call } of callsWith(subject, undefined, array)) {
        const { reason } = await refused(call, ...CODES);
        expect(reason).toMatch(/got (nothing|undefined|none)/);
      }
      for (const value of [undefined, null, 'text', Symbol('s'), () => 0, {}, new Map(), /x/]) {
        for (const { call } of callsWith(subject, value, array)) {
          expectText(await refused(call, ...CODES));
        }
      }
    });
  });

  test('a method that was taken off its object has done nothing', async () => {
    using array = await backend.array(VALUES, { dtype: 'float32' });
    const { copy, fill, empty, concat } = backend;
    const { slice, flip, toNested } = array;
    const taken: readonly (() => unknown)[] = [
      () => copy(array, Float32Array.of(7)),
      () => fill(array, 7),
      () => empty([3], 'float32'),
      () => concat([array, array]),
      () => slice([0]),
      () => flip(),
      () => toNested(),
    ];
    for (const call of taken) {
      await expect(async () => await call()).rejects.toThrow(TypeError); // the engine's
    }
    expect([...(await backend.toTypedArray(array))]).toEqual(VALUES);
  });

  describe('a method that returns a promise never throws', () => {
    keepsNothing(subject);

    test('whatever it is called with, and on', async () => {
      using array = await backend.array(VALUES, { dtype: 'float32' });
      const methods = [
        'array',
        'copy',
        'fill',
        'toTypedArray',
        'launch',
        'use',
        'synchronize',
        'whenKernelsReady',
      ] as const;
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

interface Strided {
  readonly data: Float32Array;
  readonly shape: readonly number[];
  readonly stride: readonly number[];
  readonly offset: number;
}

/** What `host.asArray` makes of the object, without a host. */
function viewed({ data, shape, stride, offset }: Strided) {
  const { buffer, BYTES_PER_ELEMENT: itemsize } = data;
  const byteStrides = stride.map((elements) => elements * itemsize);
  return makeDescriptor({
    buffer,
    pointer: offset * itemsize,
    shape,
    byteStrides,
    dtype: 'float32',
  });
}

/** A call that takes an array in some place. */
interface Call {
  /** The path of its error. */
  readonly path: string;
  readonly call: () => unknown;
  /** Whether it takes lists of numbers, and numbers, in that place as well. */
  readonly takesLists?: true;
}

/** Each call that takes an array, with `value` for it. */
function callsWith(subject: BackendSubject, value: unknown, array: ArrayLike): readonly Call[] {
  const { backend } = subject;
  const wrong = value as ArrayLike;
  return [
    { path: 'producer', call: () => backend.asArray(wrong) },
    { path: 'destination', call: () => backend.copy(wrong, array) },
    { path: 'source', call: () => backend.copy(array, wrong) },
    { path: 'destination', call: () => backend.fill(wrong, 1) },
    { path: 'source', call: () => backend.toTypedArray(wrong) },
    { path: 'source', call: () => backend.array(wrong), takesLists: true },
    ...['reads', 'writes'].map((name) => ({
      path: `${name}[0]`,
      call: async () => {
        using queue = backend.createQueue();
        await backend.use(queue, { [name]: [wrong] }, () => {});
      },
    })),
    ...launchesWith(subject, wrong, array),
    ...functionsWith(backend, wrong, array),
  ];
}

function launchesWith(
  { backend, kernels }: BackendSubject,
  wrong: ArrayLike,
  array: ArrayLike,
): readonly Call[] {
  if (kernels === null) return [];
  const { axpy } = kernelsOf(backend.name, kernels);
  const values = { source: array, target: array, factor: 1, n: 3 };
  return (['source', 'target'] as const).map((path) => ({
    path,
    call: () => backend.launch(axpy, { range: [3] }, { ...values, [path]: wrong }),
  }));
}

/** The functions of arrays. */
function functionsWith(backend: Backend, wrong: ArrayLike, array: ArrayLike): readonly Call[] {
  const calls: readonly [path: string, call: () => unknown][] = [
    ['a', () => backend.allClose(wrong, array)],
    ['b', () => backend.allClose(array, wrong)],
    ['array', () => backend.emptyLike(wrong)],
    ['array', () => backend.zerosLike(wrong)],
    ['array', () => backend.onesLike(wrong)],
    ['array', () => backend.fullLike(wrong, 1)],
    ['arrays[1]', () => backend.concat([array, wrong])],
    ['arrays[0]', () => backend.stack([wrong, array])],
    ['array', () => backend.tile(wrong, [2])],
    ['array', () => backend.repeat(wrong, 2)],
    ['array', () => backend.roll(wrong, 1)],
    ['array', () => backend.take(wrong, [0])],
    ['indices', () => backend.take(array, wrong)],
    ['indices', () => backend.put(array, wrong, [1])],
    ['values', () => backend.put(array, [0], wrong)],
    ['mask', () => backend.where(wrong, array, array)],
    ['a', () => backend.where([true, false, true], wrong, array)],
    ['b', () => backend.where([true, false, true], array, wrong)],
  ];
  return [
    ...calls.map(([path, call]) => ({ path, call, takesLists: true }) as const),
    { path: 'array', call: () => backend.put(wrong, [0], [1]) },
    { path: 'array', call: () => backend.unstack(wrong as never) },
  ];
}
