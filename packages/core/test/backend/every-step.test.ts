import { expect, test } from 'vitest';
import { BackendArray, BaseBackend } from '../../src/backend/index.js';
import { defineKernel } from '../../src/kernel/index.js';
import { type FakeArray, FakeBackend, FakeDriver, type FakeQueue } from '../support/fake-driver.js';

// Every method that asks a driver for something, with each of the driver's steps failing in turn: once,
// and with all steps after it. Nothing of the call may stay, and later calls work. This finds what a
// method forgets to release on one of its ways out, without the garbage collector.

const VALUES = Int16Array.of(1, 2, 3, 4);

/** It has the kernels of the arrays' functions: its code is CUDA's. */
class WithKernels extends FakeBackend {
  override readonly name = 'cuda' as never;
}

interface World {
  readonly backend: FakeBackend;
  /** Four elements each; those of `far` are another backend's, and those of `apart` another context's. */
  readonly a: FakeArray;
  readonly b: FakeArray;
  readonly far: FakeArray;
  readonly apart: FakeArray;
  /** Indices of the four. */
  readonly at: FakeArray;
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
    ({ backend, a }) => backend.copy(new Float64Array(4), a, { chunkBytes: 4 }),
    ({ backend, a, b }) => backend.copy(a.flip(), b),
    ({ backend, a, far }) => backend.copy(a, far.flip(), { chunkBytes: 4 }),
    ({ backend, a, apart }) => backend.copy(a.flip(), apart, { chunkBytes: 4 }),
  ],
  fill: [({ backend, a }) => backend.fill(a.flip(), 7)],
  toTypedArray: [
    ({ backend, a }) => backend.toTypedArray(a.flip()),
    ({ backend, a }) => backend.toTypedArray(a, { dtype: 'float64' }),
  ],
  launch: [({ backend, a, b }) => backend.launch(kernel, { range: [4] }, { to: a, from: b })],
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
    ({ backend, a }) => backend.repeat(a, [0, 1, 2, 3]),
    ({ backend, a }) => backend.repeat(a.flip().reshape([2, 2]).transpose(), 2),
  ],
  roll: [
    ({ backend, a }) => backend.roll(a, 1),
    ({ backend, a }) => backend.roll(a.reshape([2, 2]).transpose(), 1),
    ({ backend, a }) => backend.roll(a.reshape([2, 2]), 1, { axis: 1 }),
  ],
  take: [
    ({ backend, a }) => backend.take(a, [3, -1]),
    ({ backend, a, at }) => backend.take(a.flip(), at),
  ],
  put: [
    ({ backend, a, b }) => backend.put(a, [3, 2, 1, 0], b),
    ({ backend, a, at }) => backend.put(a.flip(), at, 7),
  ],
  where: [({ backend, a, b }) => backend.where([true, false, true, false], a, b.flip())],
  toNested: [({ a }) => a.reshape([2, 2]).toNested()],
  item: [({ a }) => a.slice([1]).item()],
  toText: [({ a }) => a.flip().toText()],
  synchronize: [({ a }) => a.synchronize()],
};

/** They ask a driver for nothing that can fail, are views, or are what the others call. */
const OTHERS =
  'asArray unstack copyNow launchNow readBack peek mapBuffer wrap afterWaiting resolveOptions resolve maker ' +
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

/** Does an operation while steps fail, and returns what it threw, or null, and how many steps it took. */
async function outcomeOf(
  Kind: typeof FakeBackend,
  operation: Operation,
  isFailing: (step: number) => boolean,
) {
  const backend = new Kind(new FakeDriver([0, 1]));
  const other = new FakeBackend();
  using a = await backend.array(VALUES);
  using b = await backend.array(VALUES);
  using apart = await backend.array(VALUES, { device: 1 });
  using at = await backend.array([3, 0, 1, 2], { dtype: 'int32' });
  using far = await other.array(VALUES);
  const drivers = [backend.driver, other.driver];
  const live = () => drivers.flatMap((driver) => [...driver.live].map(({ name }) => name));
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
    const result = await operation({ backend, a, b, far, apart, at });
    (result as Disposable | undefined)?.[Symbol.dispose]?.();
  } catch (reason) {
    error = reason;
  }
  const taken = steps;
  for (const driver of drivers) driver.begins = () => {};
  backend.driver.launches = () => {};
  expect(live(), 'what it keeps').toEqual(before);
  await backend.fill(a, 9);
  expect(await backend.toTypedArray(a), 'a later call').toEqual(new Int16Array(4).fill(9));
  return { error, steps: taken };
}

const CASES = Object.entries(OPERATIONS).flatMap(([name, ways]) =>
  ways.map(
    (operation) => [`${name}: ${`${operation}`.replace(/^.*?=> /s, '')}`, operation] as const,
  ),
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
