import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { noteUse } from '../../../src/backend/order/in-use.js';
import type { BackendArray } from '../../../src/index.js';
import { FakeBackend, FakeDriver, type FakeMemory } from '../../support/fake-driver.js';

/** A driver that knows whether its memory is at rest, as the test says. */
class KnowingDriver extends FakeDriver {
  isAtRest = true;
  peek(
    memory: FakeMemory,
    { source, nbytes }: { source: bigint; nbytes: number },
    bytes: Uint8Array,
  ) {
    const start = Number(source - memory.pointer);
    if (this.isAtRest) bytes.set(memory.bytes.subarray(start, start + nbytes));
    return this.isAtRest;
  }
}

function setUp() {
  const driver = new KnowingDriver();
  const backend = new FakeBackend(driver);
  const array = backend.empty([4], 'uint8');
  (array.memory as FakeMemory).bytes.set([1, 2, 3, 4]);
  driver.taken();
  return { driver, backend, array };
}

const SHOWN = 'FakeArray([1, 2, 3, 4], dtype=uint8)';
const isShown = (array: BackendArray) => inspect(array) === SHOWN;

describe('what console.log shows', () => {
  test('elements at rest, without a call that orders work', () => {
    const { driver, array } = setUp();
    using _ = array;
    expect(inspect(array)).toBe(SHOWN);
    expect(driver.taken()).toEqual([]);
    driver.isAtRest = false;
    expect(inspect(array)).toBe(`${array}; for its elements, await toText()`);
  });

  test('no elements of a backend that never knows', () => {
    using array = new FakeBackend().empty([4], 'uint8');
    expect(inspect(array)).toBe(`${array}; for its elements, await toText()`);
  });

  test('no elements while anything needs the memory, or works on its bytes', async () => {
    const { backend, array, driver } = setUp();
    using _ = array;
    using loan = driver.wrap(
      driver.borrow(array.descriptor),
      array.descriptor,
      null,
    ) as never as Disposable & BackendArray;
    array.memory.retain();
    expect([isShown(array), isShown(loan)]).toEqual([false, true]);
    array.memory.release();
    using queue = backend.createQueue();
    for (const used of [array, loan]) {
      const end = noteUse([used.memory]);
      expect([isShown(array), isShown(loan)]).toEqual([false, false]);
      end();
      await backend.use(queue, { reads: [used] }, async () => {
        await null;
        expect([isShown(array), isShown(loan)]).toEqual([false, false]);
      });
      expect([isShown(array), isShown(loan)]).toEqual([true, true]);
    }
    await expect(
      backend.use(queue, { writes: [array] }, () => Promise.reject(new Error('on purpose'))),
    ).rejects.toThrow('on purpose');
    expect(isShown(array)).toBe(true);
  });

  test('no elements of work that waits for a kernel', async () => {
    const { backend, driver, array } = setUp();
    using _ = array;
    let end = () => {};
    driver.builds = (kernel) => new Promise((resolve) => (end = () => resolve(kernel)));
    const { defineKernel } = await import('../../../src/kernel/index.js');
    const parameters = { at: { write: 'uint8' } } as const;
    const kernel = defineKernel({ name: 'slow', parameters, code: { fake: {} } as never });
    const launched = backend.launch(kernel, { range: [1] }, { at: array });
    expect(isShown(array)).toBe(false);
    end();
    await launched;
    expect(isShown(array)).toBe(true);
  });

  test('no elements of a copy between backends, until it has ended', async () => {
    const [one, other] = [setUp(), setUp()];
    using to = one.array;
    using from = other.array;
    const seen: boolean[] = [];
    const onProgress = () => seen.push(isShown(to), isShown(from));
    const copied = one.backend.copy(to, from, { onProgress, chunkBytes: 1 });
    seen.push(isShown(to), isShown(from));
    await copied;
    expect(new Set(seen)).toEqual(new Set([false]));
    expect([isShown(to), isShown(from)]).toEqual([true, true]);
  });

  test('no errors, whatever the driver does', () => {
    const { driver, array } = setUp();
    using _ = array;
    for (const thrown of [new Error('on purpose'), null, undefined]) {
      driver.peek = () => {
        throw thrown;
      };
      expect(inspect(array)).toBe(`${array}; for its elements, await toText()`);
    }
  });
});
