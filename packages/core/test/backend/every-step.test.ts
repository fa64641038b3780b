import { expect, test } from 'vitest';
import { BackendArray, BaseBackend } from '../../src/backend/index.js';
import { replace } from '../../src/descriptor/descriptor.js';
import { ArrayInterfaceError, dtype } from '../../src/index.js';
import { defineKernel } from '../../src/kernel/index.js';
import { FakeArray, FakeBackend, FakeDriver, type FakeQueue } from '../support/fake-driver.js';

// Every method that asks a driver for something, with each of the driver's steps failing in turn: once,
// and with all steps after it. Nothing of the call may stay, and later calls work. This finds what a
// method forgets to release on one of its ways out, without the garbage collector.

const VALUES = Int16Array.from({ length: 32 }, (_, i) => i);
const LENGTH = VALUES.length;

/** It has the kernels of the arrays' functions: its code is CUDA's. */
class WithKernels extends FakeBackend {
  override readonly name = 'cuda' as never;
}

type Owned = FakeArray & Disposable;

interface World {
  readonly backend: FakeBackend;
  /** LENGTH elements each; those of `far` are another backend's, and those of `apart` another context's. */
  readonly a: Owned;
  readonly b: Owned;
  readonly far: Owned;
  readonly apart: Owned;
  /** Indices of all elements. */
  readonly at: Owned;
}

type Operation = (world: World) => unknown;

const kernel = defineKernel({
  name: 'ones',
  parameters: { to: { write: 'int16' }, from: { read: 'int16' } },
  code: { fake: {}, cuda: { ptx: '.version 6.0' } },
});

const OPERATIONS: Readonly<Record<string, readonly Operation[]>> = {
  empty: [({ backend }) => backend.empty([4], 'int16')],
  array: [
    ({ backend }) => backend.array(VALUES),
    ({ backend }) => backend.array([[1, 2], [3, 4]], { dtype: 'float64' }), // biome-ignore format: as a matrix
    ({ backend, a }) => backend.array(a.flip()),
    ({ backend, far }) => backend.array(far, { dtype: 'float64' }),
    ({ backend, apart }) => backend.array(apart),
  ],
  copy: [
    ({ backend, a }) => backend.copy(a.flip(), VALUES),
    ({ backend, a }) => backend.copy(new Float64Array(LENGTH), a, { chunkBytes: 16 }),
    ({ backend, a, b }) => backend.copy(a.flip(), b),
    ({ backend, a, far }) => backend.copy(a, far.flip(), { chunkBytes: 16 }),
    ({ backend, a, apart }) => backend.copy(a.flip(), apart, { chunkBytes: 16 }),
  ],
  fill: [({ backend, a }) => backend.fill(a.flip(), 7)],
  toTypedArray: [
    ({ backend, a }) => backend.toTypedArray(a.flip()),
    ({ backend, a }) => backend.toTypedArray(a, { dtype: 'float64' }),
  ],
  launch: [({ backend, a, b }) => backend.launch(kernel, { range: [LENGTH] }, { to: a, from: b })],
  use: [
    ({ backend, a, b }) => {
      const queue = backend.driver.queues[0] as FakeQueue;
      return backend.use(queue, { reads: [b], writes: [a] }, () => {});
    },
  ],
  allClose: [({ backend, a, b }) => backend.allClose(a, b.flip())],
  zeros: [({ backend }) => backend.zeros([4], 'int16')],
  ones: [({ backend }) => backend.ones([4], 'int16')],
  full: [({ backend }) => backend.full([4], 5, 'int16')],
  emptyLike: [({ backend, a }) => backend.emptyLike(a)],
  zerosLike: [({ backend, a }) => backend.zerosLike(a)],
  onesLike: [({ backend, a }) => backend.onesLike(a)],
  fullLike: [({ backend, a }) => backend.fullLike(a, 5)],
  arange: [({ backend }) => backend.arange(0, 4)],
  linspace: [({ backend }) => backend.linspace(0, 1, 4)],
  eye: [({ backend }) => backend.eye(3)],
  concat: [({ backend, a, b }) => backend.concat([a, b.flip()])],
  stack: [({ backend, a, b }) => backend.stack([a, b.flip()])],
  tile: [({ backend, a }) => backend.tile(a, [2, 2])],
  repeat: [
    ({ backend, a }) => backend.repeat(a, 2),
    ({ backend, a }) => backend.repeat(a.slice([[0, 4]]), [0, 1, 2, 3]),
    ({ backend, a }) => backend.repeat(a.reshape([4, 8]).transpose(), 2),
  ],
  roll: [
    ({ backend, a }) => backend.roll(a, 1),
    ({ backend, a }) => backend.roll(a.reshape([4, 8]).transpose(), 1),
    ({ backend, a }) => backend.roll(a.reshape([2, 2, 2, 2, 2]), 1, { axis: [0, 1, 2, 3, 4] }),
  ],
  take: [
    ({ backend, a }) => backend.take(a, [3, -1]),
    ({ backend, a, at }) => backend.take(a.flip(), at),
  ],
  put: [
    ({ backend, a, b }) => backend.put(a, [3, 2, 1, 0], b.slice([[0, 4]])),
    ({ backend, a, at }) => backend.put(a.flip(), at, 7),
  ],
  where: [({ backend, a, b }) => backend.where(new Uint8Array(LENGTH).fill(1, 3), a, b.flip())],
  toNested: [({ a }) => a.reshape([4, 8]).toNested()],
  item: [({ a }) => a.slice([1]).item()],
  toText: [({ a }) => a.flip().toText()],
  synchronize: [({ a }) => a.synchronize()],
};

/** Calls that are refused once they have looked at an array of another backend. */
const REFUSED: readonly Operation[] = [
  ({ backend, far }) => backend.take(far, [3, -1]),
  ({ backend, a, at, far }) => backend.put(a, at, far),
  ({ backend, a, far }) => backend.put(a, far, 7),
  ({ backend, a, at, far }) => backend.put(far, at, a),
  ({ backend, a, far }) => backend.where([true], a.flip(), far),
  ({ backend, b, far }) => backend.launch(kernel, { range: [LENGTH] }, { to: far, from: b }),
  ({ backend, far }) =>
    backend.use(backend.driver.queues[0] as FakeQueue, { reads: [far] }, () => {}),
  ({ backend, a }) => backend.copy(a, new Float64Array(LENGTH)),
  ({ backend, a, far }) => backend.copy(a, far.slice([[0, 2]])),
];

/** They ask a driver for nothing that can fail, are views, or are what the others call. */
const OTHERS =
  'asArray unstack copyNow checkLaunch readBack peek mapBuffer wrap afterWaiting resolveOptions resolve maker ' +
  'exported backend descriptor shape ndim size dtype itemsize nbytes byteStrides elementStrides contiguous ' +
  'pointer readOnly disposed slice permuteDims transpose flip reshape broadcastTo expandDims squeeze field ' +
  'view recordUse asTypedArray toJSON toString viewAs dispose constructor';

function methodsOf(type: { readonly prototype: object }): string[] {
  const names: string[] = [];
  for (let at = type.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    names.push(...Object.getOwnPropertyNames(at));
  }
  return names;
}

test('every method is here', () => {
  const known = new Set([...Object.keys(OPERATIONS), ...OTHERS.split(' ')]);
  const all = new Set([...methodsOf(BaseBackend), ...methodsOf(BackendArray)]);
  expect(
    [...all].filter((name) => !known.has(name)),
    'methods that are missing',
  ).toEqual([]);
  expect(
    [...known].filter((name) => !all.has(name)),
    'methods that are gone',
  ).toEqual([]);
});

/** Makes the arrays, and returns what ends them and lists the memory that is alive. */
async function setUp(Kind: typeof FakeBackend) {
  const backend = new Kind(new FakeDriver([0, 1]));
  const other = new FakeBackend();
  const world: World = {
    backend,
    a: await backend.array(VALUES),
    b: await backend.array(VALUES),
    apart: await backend.array(VALUES, { device: 1 }),
    at: await backend.array(VALUES, { dtype: 'int32' }),
    far: await other.array(VALUES),
  };
  const drivers = [backend.driver, other.driver];
  return {
    world,
    drivers,
    live: () => drivers.flatMap((driver) => [...driver.live].map(({ name }) => name)),
    [Symbol.dispose]() {
      for (const array of [world.a, world.b, world.apart, world.at, world.far])
        array[Symbol.dispose]();
    },
  };
}

/** Does an operation while steps fail, and returns what it threw, or null, and how many steps it took. */
async function outcomeOf(
  Kind: typeof FakeBackend,
  operation: Operation,
  isFailing: (step: number) => boolean,
) {
  using set = await setUp(Kind);
  const { world, drivers, live } = set;
  const { backend, a } = world;
  const before = live();

  let steps = 0;
  const step = () => {
    steps++;
    if (isFailing(steps)) throw new Error(`step ${steps}`);
  };
  for (const driver of drivers) driver.begins = step;
  backend.driver.launches = step;
  let error: unknown = null;
  try {
    const result = await operation(world);
    (result as Disposable | undefined)?.[Symbol.dispose]?.();
  } catch (reason) {
    error = reason;
  }
  const taken = steps;
  for (const driver of drivers) driver.begins = () => {};
  backend.driver.launches = () => {};
  expect(live(), 'what it keeps').toEqual(before);
  await backend.fill(a, 9);
  expect(await backend.toTypedArray(a), 'a later call').toEqual(new Int16Array(LENGTH).fill(9));
  return { error, steps: taken };
}

const nameOf = (operation: Operation) => `${operation}`.replace(/^.*?=> /s, '');

const CASES = Object.entries(OPERATIONS).flatMap(([name, ways]) =>
  ways.map((operation) => [`${name}: ${nameOf(operation)}`, operation] as const),
);

test.each(CASES)('%s', async (_, operation) => {
  for (const Kind of [FakeBackend, WithKernels]) {
    const { error, steps } = await outcomeOf(Kind, operation, () => false);
    expect(error).toBe(null);
    const anyStep = expect.stringMatching(/step \d+/); // a failure at the end may hide the first
    for (let first = 1; first <= steps; first++) {
      const message = expect.stringContaining(`step ${first}`);
      const once = await outcomeOf(Kind, operation, (step) => step === first);
      expect(once.error, `step ${first} of ${steps}`).toMatchObject({ message });
      const onwards = await outcomeOf(Kind, operation, (step) => step >= first);
      expect(onwards.error, `from step ${first} on`).toMatchObject({ message: anyStep });
    }
  }
});

test.each(REFUSED.map((operation) => [nameOf(operation), operation] as const))(
  'a refusal keeps nothing: %s',
  async (_, operation) => {
    for (const Kind of [FakeBackend, WithKernels]) {
      const { world, live, ...set } = await setUp(Kind);
      await expect((async () => operation(world))()).rejects.toThrow(/expected/);
      set[Symbol.dispose]();
      expect(live()).toEqual([]);
    }
  },
);

/** What an array may be that calls refuse, and the calls that take it nevertheless. */
const STATES: Readonly<
  Record<
    string,
    { make(array: Owned): FakeArray; code: string; isTaken(call: string, of: string): boolean }
  >
> = {
  masked: {
    make: ({ memory, descriptor }) =>
      new FakeArray(memory, replace(descriptor, { mask: maskOf(descriptor) }), null),
    code: 'ERR_MASK',
    isTaken: (call) => /(toText|synchronize)\(\)$/.test(call),
  },
  'disposed of': {
    make(array) {
      array[Symbol.dispose]();
      return array;
    },
    code: 'ERR_DISPOSED',
    isTaken: () => false,
  },
  'read-only': {
    make: ({ memory, descriptor }) =>
      new FakeArray(memory, replace(descriptor, { readOnly: true }), null),
    code: 'ERR_READ_ONLY',
    isTaken: (call, of) => of !== 'a' || !/^backend\.(copy\(a|fill|launch|put)|use\(/.test(call),
  },
};

/** The arrays that an operation names, in its own text. */
const namesIn = (operation: Operation) =>
  (['a', 'b', 'at'] as const).filter((name) => new RegExp(`\\b${name}\\b`).test(nameOf(operation)));

test.each(Object.entries(STATES))('no call works on an array that is %s', async (_, state) => {
  for (const [name, ways] of Object.entries(OPERATIONS)) {
    for (const operation of ways) {
      for (const of of namesIn(operation)) {
        using set = await setUp(WithKernels);
        const world = { ...set.world, [of]: state.make(set.world[of]) } as World;
        const result = await (async () => operation(world))().catch((error: unknown) => error);
        if (!(result instanceof Error)) (result as Disposable | undefined)?.[Symbol.dispose]?.();
        const expected = state.isTaken(nameOf(operation), of) ? 'no error' : state.code;
        expect(codeOf(result), `${of} of ${name}: ${nameOf(operation)}`).toBe(expected);
      }
    }
  }
});

function codeOf(result: unknown): string {
  if (result instanceof ArrayInterfaceError) return result.code;
  return result instanceof Error ? `${result.stack}` : 'no error';
}

/** A mask in the array's own bytes. */
function maskOf(descriptor: FakeArray['descriptor']) {
  return replace(descriptor, { dtype: dtype('bool'), byteStrides: [1] });
}
