import { describe, expect, test } from 'vitest';
import { replace } from '../../../src/descriptor/descriptor.js';
import {
  FakeBackend,
  FakeDriver,
  type FakeMemory,
  type FakeQueue,
} from '../../support/fake-driver.js';

const values = Int16Array.from({ length: 24 }, (_, i) => i);

async function setUp(...contexts: number[]) {
  const driver = new FakeDriver(contexts.length > 0 ? contexts : [0]);
  const backend = new FakeBackend(driver);
  const make = (device: number, shape = [4, 6]) => backend.array(values, { device, shape });
  const read = async (array: Parameters<typeof backend.toTypedArray>[0]) => {
    const got = [...(await backend.toTypedArray(array))];
    driver.taken();
    return got;
  };
  return { driver, backend, make, read };
}

describe('a copy within one backend', () => {
  test('is one call if a queue reaches both', async () => {
    const { driver, backend, make, read } = await setUp();
    using from = await make(0);
    using to = backend.empty([6, 4], 'int16');
    driver.taken();
    await backend.copy(to, from.transpose());
    expect(driver.taken()).toEqual(['q0: m2 <- m0 (48, strided)']);
    expect((await read(to)).slice(0, 4)).toEqual([0, 6, 12, 18]);
  });

  test('of overlapping sides goes through a temporary, which is freed', async () => {
    const { driver, backend, make, read } = await setUp();
    using from = await make(0, [24]);
    driver.taken();
    const live = driver.live.size;
    await backend.copy(from.slice([[1, null]]), from.slice([[0, 23]]));
    expect(driver.taken().filter((line) => line.startsWith('q0'))).toHaveLength(2);
    expect(driver.live.size).toBe(live);
    expect(await read(from)).toEqual([0, ...values.slice(0, 23)]);
  });

  test('that fails half way leaves no temporary behind', async () => {
    const { driver, backend, make } = await setUp();
    using from = await make(0, [24]);
    const live = driver.live.size;
    driver.fails = driver.enqueued + 2;
    const copied = backend.copy(from.slice([[1, null]]), from.slice([[0, 23]]));
    await expect(copied).rejects.toThrow('enqueue failed');
    expect(driver.live.size).toBe(live);
  });

  test('of numbers at odd addresses converts them at even ones', async () => {
    const { driver, backend } = await setUp();
    using bytes = await backend.array(Uint8Array.of(0, 1, 0, 2, 0, 0, 0, 0, 0));
    const shape = { shape: [2], dtype: values, byteStrides: [2] };
    const { descriptor } = backend.asArray(bytes.slice([[0, 4]])).view('int16');
    const odd = replace(descriptor, { pointer: bytes.pointer + 1n, shape: shape.shape });
    using to = backend.empty([2], 'float64');
    driver.taken();
    await backend.copy(to, odd);
    const how = driver.taken().flatMap((line) => /\((.*)\)/.exec(line)?.[1] ?? []);
    expect(how).toEqual(['4, run', '16, converted', '16, run']);
    expect([...(await backend.toTypedArray(to))]).toEqual([1, 2]);
  });

  test('is refused with a queue that reaches neither side', async () => {
    const { driver, backend, make } = await setUp(0, 1);
    using from = await make(1);
    using to = await make(1);
    const queue = driver.queues[0] as FakeQueue;
    for (const work of [
      () => backend.copy(to, from, { queue }),
      () => backend.copy(to, values.slice(0, 6), { queue }),
      () => backend.toTypedArray(from, { queue }),
    ]) {
      await expect(work()).rejects.toMatchObject({ code: 'ERR_ARGUMENT', path: 'queue' });
    }
  });
});

describe('a copy between two devices of a backend', () => {
  test('of contiguous bytes is one call, without temporaries', async () => {
    const { driver, backend, make, read } = await setUp(0, 0);
    using from = await make(0);
    using to = backend.empty([24], 'int16', { device: 1 });
    driver.taken();
    await backend.copy(to, from.reshape([24]));
    expect(driver.taken()).toEqual(['q1: m2 <- m0 (48, run)']);
    expect(await read(to)).toEqual([...values]);
  });

  test.each([
    ['packs a strided source', true, false],
    ['unpacks into a strided destination', false, true],
    ['does both', true, true],
  ])('%s in place', async (_, isSourceStrided, isTargetStrided) => {
    const { driver, backend, make, read } = await setUp(0, 0);
    using from = await make(0, [2, 12]);
    using to = backend.empty([2, 12], 'int16', { device: 1 });
    const part = (array: typeof from, isStrided: boolean) =>
      array.slice(isStrided ? [null, [null, null, 2]] : [0]).reshape([2, 6]);
    const seen = part(from, isSourceStrided);
    const target = part(to, isTargetStrided);
    const expected = await read(seen);
    const live = driver.live.size;
    driver.taken();
    await backend.copy(target, seen);
    const log = driver.taken();
    expect(log.filter((line) => line.startsWith('allocate'))).toHaveLength(
      Number(isSourceStrided) + Number(isTargetStrided),
    );
    expect(log.filter((line) => line.startsWith('q0:'))).toHaveLength(Number(isSourceStrided));
    expect(log.filter((line) => line.startsWith('q1:'))).toHaveLength(isTargetStrided ? 2 : 1);
    expect(driver.live.size).toBe(live);
    expect(await read(target)).toEqual(expected);
  });

  test('converts on the side of the larger numbers', async () => {
    const { driver, backend, make, read } = await setUp(0, 0);
    using from = await make(0, [24]);
    using to = backend.empty([24], 'float64', { device: 1 });
    driver.taken();
    await backend.copy(to, from);
    expect(driver.taken().map((line) => line.replace(/m\d+/g, 'm'))).toEqual([
      'q1 records',
      'q0 waits for q1',
      'allocate 48 with a timeout',
      'q1: m <- m (48, run)',
      'q1: m <- m (192, converted)',
      'q0 records',
      'q1 waits for q0',
    ]);
    expect(await read(to)).toEqual([...values]);
    using back = backend.empty([24], 'int16', { device: 0 });
    driver.taken();
    await backend.copy(back, to, { casting: 'unsafe' });
    const how = driver.taken().flatMap((line) => /^(q\d): .*\((.*)\)/.exec(line)?.slice(1) ?? []);
    expect(how).toEqual(['q1', '48, converted', 'q0', '48, run']);
    expect(await read(back)).toEqual([...values]);
  });

  test('is in the order of the named queue', async () => {
    const { driver, backend, make } = await setUp(0, 0, 0);
    using from = await make(0);
    using to = backend.empty([6, 4], 'int16', { device: 1 });
    const queue = driver.queues[2] as FakeQueue;
    driver.taken();
    await backend.copy(to, from.transpose(), { queue });
    const log = driver.taken().filter((line) => !line.startsWith('allocate'));
    expect(log.slice(0, 3)).toEqual(['q2 records', 'q0 waits for q2', 'q1 waits for q2']);
    const ends = ['q0 records', 'q2 waits for q0', 'q1 records', 'q2 waits for q1'];
    expect(log.slice(-4)).toEqual(ends);
  });

  test('runs on one queue if that of one side reaches both', async () => {
    const { driver, backend, make, read } = await setUp(0, 0);
    using from = await make(0);
    using to = backend.empty([6, 4], 'int16');
    const queue = driver.queues[1] as FakeQueue;
    driver.taken();
    await backend.copy(to, from.transpose(), { queue });
    expect(driver.taken()).toEqual([
      'q1 records',
      'q0 waits for q1',
      'q0: m2 <- m0 (48, strided)',
      'q0 records',
      'q1 waits for q0',
    ]);
    await backend.copy(from.slice([[1, null]]), from.slice([[0, 3]]), { queue });
    expect((await read(from)).slice(0, 12)).toEqual([...Array(2).fill([0, 1, 2, 3, 4, 5])].flat());
  });

  test('is copied in bounded chunks through a few temporaries', async () => {
    const { driver, backend } = await setUp(0, 0);
    const size = 5 * 2 ** 20; // in elements of 16 bytes
    using from = backend.empty([size, 2], 'complex128');
    using to = backend.empty([size], 'complex128', { device: 1 });
    const [there, here] = [from, to].map(
      ({ memory }) => new Float64Array((memory as FakeMemory).bytes.buffer),
    ) as [Float64Array, Float64Array];
    for (let i = 0; i < there.length; i += 997) there[i] = i;
    driver.taken();
    await backend.copy(to, from.slice([null, 0]));
    const log = driver.taken();
    const allocated = log.filter((line) => line.startsWith('allocate'));
    expect(allocated).toEqual([
      `allocate ${16 * 2 ** 20} with a timeout`,
      `allocate ${16 * 2 ** 20}`,
      `allocate ${16 * 2 ** 20}`,
    ]);
    expect(log.filter((line) => line.startsWith('q1: m'))).toHaveLength(5);
    let wrong = 0;
    for (let i = 0; i < size; i += 7) if (here[2 * i] !== there[4 * i]) wrong++;
    expect(wrong).toBe(0);
  });

  test('uses as many temporaries as there is memory for', async () => {
    const { driver, backend } = await setUp(0, 0);
    const size = 33 * 2 ** 20;
    using from = backend.empty([size / 16, 32], 'uint8');
    using to = backend.empty([size / 16, 16], 'uint8', { device: 1 });
    driver.capacity = 3 * size + 17 * 2 ** 20;
    driver.taken();
    await backend.copy(to, from.slice([null, [null, 16]]));
    const log = driver.taken();
    expect(log.filter((line) => line.startsWith('q0:'))).toHaveLength(3);
    driver.capacity = 3 * size;
    const copied = backend.copy(to, from.slice([null, [null, 16]]));
    await expect(copied).rejects.toMatchObject({ code: 'ERR_OUT_OF_MEMORY' });
  });

  test('of devices that do not reach each other’s memory goes through JavaScript memory', async () => {
    const { driver, backend, make, read } = await setUp(0, 1);
    using from = await make(0);
    using to = backend.empty([6, 4], 'int16', { device: 1 });
    driver.taken();
    await backend.copy(to, from.transpose());
    const log = driver.taken();
    expect(log.filter((line) => line.includes('<-'))).toEqual([
      expect.stringMatching(/^q0: s\d+ <- m0 \(48, strided\)$/),
      expect.stringMatching(/^q1: m2 <- s\d+ \(48, run\)$/),
    ]);
    expect((await read(to)).slice(0, 4)).toEqual([0, 6, 12, 18]);
  });
});
