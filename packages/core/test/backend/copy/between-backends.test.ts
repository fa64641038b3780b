import { describe, expect, test } from 'vitest';
import { replace } from '../../../src/descriptor/descriptor.js';
import { FakeBackend, FakeDriver, type FakeMemory } from '../../support/fake-driver.js';

const values = Int16Array.from({ length: 24 }, (_, i) => i);

/** Two backends, of which one may reach memory of the other. */
async function setUp(reaches: (memory: FakeMemory) => boolean) {
  const [near, far] = [new FakeBackend(new FakeDriver()), new FakeBackend(new FakeDriver())];
  near.driver.reaches = (memory) => reaches(memory as FakeMemory);
  const from = await far.array(values, { shape: [4, 6] });
  const to = near.empty([6, 4], 'int16');
  near.driver.taken();
  far.driver.taken();
  const live = near.driver.live.size;
  return { near, far, from, to, live };
}

const isArray = ({ name }: FakeMemory) => name.startsWith('m');
const isStaging = ({ name }: FakeMemory) => name.startsWith('s');
const expected = Array.from({ length: 24 }, (_, i) => (i % 4) * 6 + Math.floor(i / 4));

describe('a copy between backends', () => {
  test('is one direct copy if a queue reaches the other side, once work there is complete', async () => {
    const { near, far, from, to, live } = await setUp(isArray);
    const log: string[] = [];
    let rest = () => {};
    (from.memory as FakeMemory).ending = new Promise((resolve) => {
      rest = resolve;
    });
    const copied = near.copy(to, from.transpose());
    await new Promise((resolve) => setTimeout(resolve));
    expect(near.driver.taken().filter((line) => line.includes('<-'))).toEqual([]);
    expect(far.driver.taken()).toEqual(['settle m0 by q0']);
    rest();
    await copied;
    log.push(...near.driver.taken());
    expect(log).toEqual([
      expect.stringMatching(/^q0: m0 <- i\d \(48, strided\)$/),
      expect.stringMatching(/^wait for i\d$/),
    ]);
    expect(near.driver.live.size).toBe(live);
    expect([...(await near.toTypedArray(to))]).toEqual(expected);
  });

  test('imports the other side for each of its workers, which waits for its own import', async () => {
    const { near, from, to, live } = await setUp(isArray);
    await near.copy(to, from.transpose(), { chunkBytes: 8 });
    const waited = near.driver.taken().filter((line) => line.startsWith('wait for'));
    expect(waited).toHaveLength(6);
    expect(new Set(waited).size).toBe(2);
    expect(near.driver.live.size).toBe(live);
    expect([...(await near.toTypedArray(to))]).toEqual(expected);
  });

  test('goes through memory of one backend that the other reaches', async () => {
    const { near, far, from, to, live } = await setUp(isStaging);
    await near.copy(to, from.transpose(), { chunkBytes: 8 });
    const [pulled, pushed] = [far, near].map(({ driver }) =>
      driver.taken().filter((line) => line.includes('<-')),
    );
    expect(pulled).toHaveLength(6);
    expect(pushed).toHaveLength(6);
    expect(pulled?.every((line) => /^q0: s\d <- m0/.test(line))).toBe(true);
    expect(pushed?.every((line) => /^q0: m0 <- i\d/.test(line))).toBe(true);
    expect(near.driver.live.size).toBe(live);
    expect([...far.driver.live].filter(isStaging)).toEqual([]);
    expect([...(await near.toTypedArray(to))]).toEqual(expected);
  });

  test('waits for memory for its first buffer, and uses as many more as it gets', async () => {
    const { near, far, from, to } = await setUp(isStaging);
    far.driver.capacity = 48 + 7;
    far.driver.returns = [
      async () => {
        far.driver.capacity = 48 + 20;
        return true;
      },
    ];
    await near.copy(to, from.transpose(), { chunkBytes: 8 });
    expect(far.driver.taken().filter((line) => !line.includes('m0'))).toEqual([
      'stage 8',
      'memoryReturned host',
      'stage 8',
      'stage 8',
      'stage 8', // there is no room for a third
      ...Array(6).fill(expect.stringMatching(/^wait for s\d$/)),
    ]);
    expect([...(await near.toTypedArray(to))]).toEqual(expected);
  });

  test('waits for memory for temporaries without blocking its thread', async () => {
    const { near, far, from } = await setUp(isStaging);
    using bytes = near.empty([8 * 24 + 1], 'uint8');
    const { byteStrides } = near.empty([24], 'float64');
    const odd = replace(bytes.descriptor, {
      ...{ pointer: bytes.pointer + 1n, shape: [24], byteStrides },
      dtype: near.empty([0], 'float64').dtype,
    });
    const { driver } = near;
    const used = [...driver.live].reduce((sum, memory) => sum + memory.bytes.length, 0);
    driver.capacity = used;
    driver.returns = [
      async () => {
        driver.capacity = Number.POSITIVE_INFINITY;
        return true;
      },
    ];
    driver.taken();
    await near.copy(odd, from.reshape([24]));
    expect(driver.taken().slice(0, 4)).toEqual([
      'allocate 192',
      'memoryReturned',
      'allocate 192',
      'allocate 48',
    ]);
    expect([...(await near.toTypedArray(odd))]).toEqual([...values]);
    expect([...far.driver.live].filter(isStaging)).toEqual([]);
  });

  test('is out of memory if none is being freed', async () => {
    const { near, far, from, to } = await setUp(isStaging);
    far.driver.capacity = 0;
    await expect(near.copy(to, from.transpose())).rejects.toMatchObject({
      code: 'ERR_OUT_OF_MEMORY',
      bytesWritten: 0,
    });
  });

  test('keeps both memories until it has ended, whatever their owners do', async () => {
    const { near, far, from, to } = await setUp(isStaging);
    const memory = from.memory as FakeMemory;
    const copied = near.copy(to, from.transpose(), { chunkBytes: 8 });
    from[Symbol.dispose]();
    expect([memory.ended, memory.freed]).toEqual([true, false]);
    await copied;
    expect(memory.freed).toBe(true);
    expect([...far.driver.live]).toEqual([]);
    expect([...(await near.toTypedArray(to))]).toEqual(expected);
  });

  test('settles when no chunk is in flight, also if one failed', async () => {
    const { near, far, from, to } = await setUp(isStaging);
    near.driver.fails = near.driver.enqueued + 2;
    const copied = near.copy(to, from.transpose(), { chunkBytes: 8 });
    await expect(copied).rejects.toMatchObject({ message: 'enqueue failed' });
    expect([...far.driver.live].filter(isStaging)).toEqual([]);
    expect([...near.driver.live].filter(({ name }) => name.startsWith('i'))).toEqual([]);
  });
});
