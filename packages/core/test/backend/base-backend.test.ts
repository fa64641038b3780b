import { describe, expect, test } from 'vitest';
import { FakeBackend } from '../support/fake-driver.js';

const values = Int16Array.from({ length: 24 }, (_, i) => i);
const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

describe('out of memory', () => {
  test('empty asks the driver to wait, for a bounded time', () => {
    const backend = new FakeBackend();
    const { driver } = backend;
    const asked: number[] = [];
    const { allocate } = driver;
    driver.allocate = (bytes, options, timeout) => {
      asked.push(timeout);
      return allocate.call(driver, bytes, options, timeout);
    };
    backend.empty([4], 'uint8');
    expect(asked).toEqual([1000]);
  });

  test('array waits as long as memory is being freed, and reads JavaScript memory before', async () => {
    const backend = new FakeBackend();
    const { driver } = backend;
    let comeBack = () => {};
    const returned = () =>
      new Promise<boolean>((resolve) => {
        comeBack = () => resolve(true);
      });
    driver.capacity = 0;
    driver.returns = [returned, returned];
    const source = values.slice();
    const made = backend.array(source);
    source.fill(0);
    expect(driver.taken()).toEqual(['allocate 48', 'allocate 48', 'memoryReturned']);
    comeBack(); // not enough
    await turn();
    expect(driver.taken()).toEqual(['allocate 48', 'memoryReturned']);
    driver.capacity = Number.POSITIVE_INFINITY;
    comeBack();
    using array = await made;
    expect(await backend.toTypedArray(array)).toEqual(values);
  });

  test('array gives up if no memory is being freed, after one more attempt', async () => {
    const backend = new FakeBackend();
    const { driver } = backend;
    driver.capacity = 0;
    await expect(backend.array(values)).rejects.toMatchObject({ code: 'ERR_OUT_OF_MEMORY' });
    driver.returns = [
      async () => {
        driver.capacity = 1000; // came back since the attempt: none is on its way any more
        return false;
      },
    ];
    using array = await backend.array(values);
    expect(array.shape).toEqual([24]);
  });

  test('array stops waiting when its signal is aborted', async () => {
    const backend = new FakeBackend();
    backend.driver.capacity = 0;
    backend.driver.returns = [() => new Promise(() => {})];
    const controller = new AbortController();
    const made = backend.array(values, { signal: controller.signal });
    controller.abort();
    await expect(made).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('staging for a call waits a bounded time for all its chunks together', async () => {
    const backend = new FakeBackend();
    const { driver } = backend;
    using array = backend.empty([24], 'int16');
    driver.taken();
    await backend.copy(array, values);
    await backend.toTypedArray(array);
    expect(driver.taken().filter((line) => line.startsWith('stage'))).toEqual([
      'stage 48 with a timeout',
      'stage 48 with a timeout',
    ]);
  });
});

describe('copies to and from JavaScript memory', () => {
  test('free their staging memory, also if they fail half way', async () => {
    const backend = new FakeBackend();
    const { driver } = backend;
    using array = backend.empty([24], 'int16');
    for (const work of [
      () => backend.copy(array, values),
      () => backend.toTypedArray(array),
      () => backend.copy(new Float64Array(24), values),
    ]) {
      await work();
      expect(driver.live.size).toBe(1);
      driver.fails = driver.enqueued + 1;
      await expect(work()).rejects.toThrow('enqueue failed');
      expect(driver.live.size).toBe(1);
    }
  });
});

test('a copy through a contiguous array reports only the bytes of the destination', async () => {
  const backend = new FakeBackend();
  using table = await backend.array(values, { shape: [4, 6] });
  const told: number[] = [];
  const onProgress = ({ bytes }: { bytes: number }) => told.push(bytes);
  // neither side is a view in the other's shape
  const options = { shape: [4, 6], byteStrides: [2, 8], onProgress };
  using turned = await backend.array(table.transpose(), options);
  expect(told).toEqual([turned.nbytes]);
  const expected = [...(await backend.toTypedArray(table.transpose()))];
  expect([...(await backend.toTypedArray(turned))]).toEqual(expected);
});

describe('owners', () => {
  test('are made by the driver without a base, and free their memory if a copy into them fails', async () => {
    const backend = new FakeBackend();
    const { driver } = backend;
    driver.fails = 1;
    await expect(backend.array(values)).rejects.toThrow('enqueue failed');
    expect(driver.live.size).toBe(0);
  });

  test('of loans end only the loan', () => {
    const backend = new FakeBackend();
    const array = backend.empty([4], 'uint8');
    const loan = backend.asArray(array);
    expect(loan.memory).not.toBe(array.memory);
    expect(loan.base).toBeNull();
    loan[Symbol.dispose]();
    expect(array.disposed).toBe(false);
    using again = backend.asArray(array.flip());
    array[Symbol.dispose]();
    expect(again.disposed).toBe(false);
    expect(() => array.pointer).toThrow(expect.objectContaining({ code: 'ERR_DISPOSED' }));
  });

  test('are known to their views, which have no dispose', () => {
    using array = new FakeBackend().empty([4], 'uint8');
    const view = array.flip().slice([0]);
    expect(view.base).toBe(array);
    expect(Object.hasOwn(array, Symbol.dispose)).toBe(true);
    expect(Symbol.dispose in view).toBe(false);
  });
});
