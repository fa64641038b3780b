import { describe, expect, test } from 'vitest';
import { defineKernel } from '../../src/kernel/index.js';
import {
  type FakeArray,
  FakeBackend,
  FakeDriver,
  type FakeMemory,
  type FakeQueue,
} from '../support/fake-driver.js';

/** A backend with the kernels of the arrays' functions: its code is CUDA's. */
class WithKernels extends FakeBackend {
  override readonly name = 'cuda' as never;
}

const VALUES = Int16Array.of(0, 1, 2, 3);

function setUp(contexts: readonly number[] = [0], Kind = FakeBackend) {
  const driver = new FakeDriver(contexts);
  const backend = new Kind(driver);
  const launched: string[] = [];
  driver.launches = (queue, built) => {
    launched.push(`${queue.name}: ${(built as { name: string }).name}`);
  };
  return { driver, backend, launched };
}

describe('a backend without kernels', () => {
  test('puts into a copy what the source was, and what follows comes after', async () => {
    const { backend } = setUp();
    using source = await backend.array(VALUES);
    using copied = backend.empty([4], 'int16');
    void backend.copy(copied, source);
    const put = backend.put(copied, [0, -1, 0], [7, 8, 9]);
    void backend.fill(source, 5);
    void backend.fill(copied.slice([[1, 2]]), 6);
    const taken = backend.take(copied, [3, 1]);
    void backend.fill(copied.slice([[3, 4]]), 4);
    await put;
    expect(await backend.toTypedArray(copied)).toEqual(Int16Array.of(9, 6, 2, 4));
    using result = await taken;
    expect(await backend.toTypedArray(result)).toEqual(Int16Array.of(8, 6));
  });

  test('waits for a kernel that is being built, and other work waits for the put', async () => {
    const { backend, driver } = setUp();
    let finish = (_: object) => {};
    driver.builds = () => new Promise((resolve) => (finish = resolve));
    driver.launches = (_queue, _built, { arrays, uses }) => {
      expect(arrays).toHaveLength(1);
      for (const { memory } of uses) (memory as FakeMemory).bytes.fill(1);
    };
    const kernel = defineKernel({
      name: 'ones',
      parameters: { to: { write: 'int16' } },
      code: { fake: {} },
    });
    using array = await backend.array(VALUES);
    const launch = backend.launch(kernel, { range: [1] }, { to: array });
    const put = backend.put(array, [1], 7);
    const read = backend.toTypedArray(array);
    finish({});
    await Promise.all([launch, put]);
    expect(await read).toEqual(Int16Array.of(257, 7, 257, 257));
  });

  test('an index that is wrong writes nothing, and later work goes on', async () => {
    const { backend } = setUp();
    using array = await backend.array(VALUES);
    using indices = await backend.array([1, 9], { dtype: 'int32' });
    const put = backend.put(array, indices, 7);
    const read = backend.toTypedArray(array);
    await expect(put).rejects.toMatchObject({ code: 'ERR_ARGUMENT', path: 'indices[1]' });
    expect(await read).toEqual(VALUES);
  });

  test('the array may be disposed of while its values are computed', async () => {
    const { backend } = setUp();
    const array = await backend.array(VALUES);
    const put = backend.put(array, [1], 7);
    array[Symbol.dispose]();
    await put;
  });
});

describe('arrays of another place', () => {
  test('of another context are refused before anything is enqueued', async () => {
    for (const Kind of [FakeBackend, WithKernels]) {
      const { backend, driver, launched } = setUp([0, 1], Kind);
      using near = await backend.array(VALUES);
      using far = await backend.array(VALUES, { device: 1 });
      using indices = await backend.array([0, 1], { dtype: 'int64', device: 1 });
      driver.taken();
      const before = await backend.toTypedArray(near);
      driver.taken();
      const refusals = [
        ['values', () => backend.put(near, [0, 1, 2, 3], far)],
        ['indices', () => backend.put(near, indices, 7)],
        ['indices', () => backend.take(near, indices)],
        ['b', () => backend.where([true], near, far)],
      ] as const;
      if (Kind === WithKernels) {
        for (const [path, call] of refusals) {
          await expect(call(), path).rejects.toMatchObject({ code: 'ERR_NOT_ACCESSIBLE', path });
        }
        expect(
          driver.taken().filter((line) => line.includes(`${(near.memory as FakeMemory).name} <-`)),
        ).toEqual([]);
        expect(launched).toEqual([]);
      }
      expect(await backend.toTypedArray(near)).toEqual(before);
    }
  });

  test('of another device of the context are copied there first, in order', async () => {
    const { backend, driver, launched } = setUp([0, 0], WithKernels);
    using near = await backend.array(VALUES);
    using far = await backend.array(VALUES, { device: 1 });
    driver.taken();
    await backend.put(near, [0, 1, 2, 3], far);
    const copies = driver.taken().filter((line) => line.includes('<-'));
    expect(copies.some((line) => line.includes(`<- ${(far.memory as FakeMemory).name} `))).toBe(
      true,
    );
    expect(launched).toEqual(['q0: lastOfRows', 'q0: putRows']);
  });

  test('work runs where all arrays are, on any device', async () => {
    const { backend, launched, driver } = setUp([0, 1], WithKernels);
    using far = await backend.array(VALUES, { device: 1 });
    using indices = await backend.array([0, 1], { dtype: 'int64', device: 1 });
    using taken = await backend.take(far, indices);
    using chosen = await backend.where(Uint8Array.of(1, 0, 1, 0), far, 0);
    using like = await backend.zerosLike(far);
    using joined = await backend.concat([far, far]);
    using rolled = await backend.roll(far, 1);
    await backend.put(far, indices, 3);
    expect(launched).toEqual(['q1: takeRows', 'q1: putWhere', 'q1: lastOfRows', 'q1: putRows']);
    for (const { memory } of [taken, chosen, like, joined, rolled]) {
      expect(driver.defaultQueue(memory)).toBe(driver.queues[1]);
    }
  });

  test('a place that the caller names stands alone', async () => {
    const { backend, driver } = setUp([0, 1]);
    using far = await backend.array(VALUES, { device: 1 });
    const given: object[] = [];
    const { allocate } = driver;
    driver.allocate = (length, options, timeout) => {
      given.push(options);
      return allocate.call(driver, length, options, timeout);
    };
    const queue = driver.queues[0] as FakeQueue;
    backend.emptyLike(far)[Symbol.dispose]();
    backend.emptyLike(far, { device: 0 })[Symbol.dispose]();
    backend.emptyLike(far, { queue })[Symbol.dispose]();
    Object.assign(driver, { ownOptions: { empty: { pool: () => {} }, places: ['pool'] } });
    const other = new FakeBackend(driver);
    using lent = await other.array(VALUES, { device: 1 });
    given.length = 0;
    other.emptyLike(lent, { pool: 'own' } as never)[Symbol.dispose]();
    expect(given).toEqual([{ pool: 'own' }]);
  });
});

describe('a refused call', () => {
  test('enqueues nothing and keeps nothing', async () => {
    const { backend, driver, launched } = setUp([0], WithKernels);
    using array = await backend.array(VALUES);
    const live = driver.live.size;
    driver.taken();
    const calls = [
      () => backend.put(array, [4], 1),
      () => backend.put(array, [0], [1, 2]),
      () => backend.put(array, [0], Float32Array.of(1)),
      () => backend.put(array.broadcastTo([2, 4]), [0], 1, { axis: 0 }),
      () => backend.put(array, [0], 1, { casting: 'never' as never }),
      () => backend.take(array, [-5]),
      () => backend.where([true, false, true], array, 1),
      () => backend.concat([array, array], { axis: 1 }),
    ];
    for (const call of calls) await expect(call(), `${call}`).rejects.toThrow(/expected/);
    expect([driver.taken(), launched]).toEqual([[], []]);
    expect(driver.live.size).toBe(live);
  });

  test('that fails half way ends what it made', async () => {
    const { backend, driver } = setUp([0], WithKernels);
    using array = await backend.array(VALUES);
    const live = driver.live.size;
    driver.launches = () => {
      throw new Error('launch failed');
    };
    await expect(backend.take(array, [1])).rejects.toThrow('launch failed');
    await expect(backend.put(array.flip(), [1], 3)).rejects.toThrow('launch failed');
    driver.fails = driver.enqueued + 2;
    await expect(backend.concat([array, array])).rejects.toThrow('enqueue failed');
    expect(driver.live.size).toBe(live);
    expect(await backend.toTypedArray(array)).toEqual(VALUES);
  });
});

/** Calls of several copies and launches each. */
const STEPS: readonly [
  string,
  (backend: FakeBackend, arrays: readonly FakeArray[]) => Promise<unknown>,
][] = [
  ['put', (backend, [a, , at]) => backend.put(a as FakeArray, at as FakeArray, 3)],
  [
    'put into a view',
    (backend, [a, b, at]) => backend.put((a as FakeArray).flip(), at as FakeArray, b as FakeArray),
  ],
  ['take', (backend, [a, , at]) => backend.take((a as FakeArray).flip(), at as FakeArray)],
  [
    'where',
    (backend, [a, b]) =>
      backend.where([true, false, true, false], (a as FakeArray).flip(), b as FakeArray),
  ],
  ['concat', (backend, [a, b]) => backend.concat([a as FakeArray, b as FakeArray])],
];

describe.each([
  ['at once', false],
  ['later, while kernels are built', true],
])('a step that fails %s', (_, isLater) => {
  /** Does a call of which a step fails, counted from 1, and returns the steps that were done. */
  async function stepsDone(call: (typeof STEPS)[number][1], fails: number) {
    const { backend, driver } = setUp([0], WithKernels);
    using a = await backend.array(VALUES);
    using b = await backend.array(VALUES);
    using at = await backend.array([3, 0, 1, 2], { dtype: 'int32' });
    const live = driver.live.size;
    const done: string[] = [];
    const step = (what: string) => {
      if (++driver.enqueued === driver.fails) throw new Error('enqueue failed');
      done.push(what);
    };
    driver.launches = (_queue, built) => step((built as { name: string }).name);
    const { enqueue } = driver;
    driver.enqueue = (queue, plan, ...memories) => {
      const failed = enqueue.call(driver, queue, plan, ...memories);
      done.push(`copy of ${plan.nbytes} bytes`);
      return failed;
    };
    if (isLater) driver.builds = async (kernel) => kernel;
    driver.fails = driver.enqueued + fails;
    const error = await call(backend, [a, b, at]).then(
      (result) => (result as Disposable | undefined)?.[Symbol.dispose]?.(),
      (reason: Error) => reason.message,
    );
    expect(driver.live.size).toBe(live);
    return { done, error };
  }

  test.each(STEPS)('stops all after it: %s', async (_, call) => {
    const { done: all } = await stepsDone(call, 0);
    expect(all.length).toBeGreaterThan(1);
    for (let step = 1; step <= all.length; step++) {
      const { done, error } = await stepsDone(call, step);
      expect([error, done]).toEqual(['enqueue failed', all.slice(0, step - 1)]);
    }
  });
});
