import { describe, expect, test } from 'vitest';
import { FakeBackend, FakeDriver, type FakeMemory } from '../../support/fake-driver.js';

const values = Int16Array.from({ length: 24 }, (_, i) => i + 1);
const expected = Array.from({ length: 24 }, (_, i) => (i % 4) * 6 + Math.floor(i / 4) + 1);

const isArray = ({ name }: FakeMemory) => name.startsWith('m');
const isStaging = ({ name }: FakeMemory) => name.startsWith('s');
const none = () => false;

/** Each way of copying between backends, by what the destination's and the source's driver can import. */
const WAYS = [
  ['in one pass of the destination', isArray, none],
  ['in one pass of the source', none, isArray],
  ['through buffers of the source', isStaging, none],
  ['through buffers of the destination', none, isStaging],
  ['through JavaScript', none, none],
] as const;

type Reaches = (memory: FakeMemory) => boolean;

async function setUp(nearReaches: Reaches, farReaches: Reaches) {
  const [near, far] = [new FakeBackend(new FakeDriver([0, 1])), new FakeBackend()];
  near.driver.reaches = (memory) => nearReaches(memory as FakeMemory);
  far.driver.reaches = (memory) => farReaches(memory as FakeMemory);
  const from = await far.array(values, { shape: [4, 6] });
  const to = near.empty([6, 4], 'int16');
  near.driver.taken();
  far.driver.taken();
  return { near, from, to, drivers: [near.driver, far.driver] };
}

/** Copies in chunks. */
function copy({ near, from, to }: Awaited<ReturnType<typeof setUp>>, options = {}) {
  return near.copy(to, from.transpose(), { chunkBytes: 8, ...options });
}

function elementsOf({ to }: Awaited<ReturnType<typeof setUp>>): number[] {
  const { bytes } = to.memory as FakeMemory;
  return [...new Int16Array(bytes.buffer)];
}

const ofWrites = (line: string) => /: m\d+ <-/.test(line);

// What is still held afterwards, fake-driver.ts finds.
describe.each(WAYS)('a copy %s', (_, nearReaches, farReaches) => {
  test('that fails anywhere says how much it wrote, and wrote nothing else', async () => {
    let at = 0;
    for (let hasFailed = true; hasFailed; ) {
      at++;
      const world = await setUp(nearReaches, farReaches);
      let steps = 0;
      for (const driver of world.drivers) {
        driver.begins = () => {
          if (++steps === at) throw new Error(`step ${at}`);
        };
      }
      const outcome = await copy(world).then(
        () => null,
        (error: unknown) => error,
      );
      hasFailed = steps >= at;
      const elements = elementsOf(world);
      const written = elements.filter((element) => element !== 0).length;
      expect(elements.map((element, i) => element || expected[i])).toEqual(expected);
      if (!hasFailed) expect([outcome, written]).toEqual([null, 24]);
      else expect(outcome).toMatchObject({ message: `step ${at}` });
      world.from[Symbol.dispose]();
      world.to[Symbol.dispose]();
      expect(world.drivers.flatMap(({ live }) => [...live].map(({ name }) => name))).toEqual([]);
    }
    expect(at).toBeGreaterThan(3);
  });

  test('writes nothing to a destination that was freed, whenever that happens', async () => {
    let at = 0;
    for (let hasGone = true; hasGone; ) {
      at++;
      const world = await setUp(nearReaches, farReaches);
      const memory = world.to.memory as FakeMemory;
      let steps = 0;
      for (const driver of world.drivers) {
        driver.ends = () => {
          if (++steps !== at) return;
          Object.assign(memory, { allocation: { pointer: memory.pointer, byteLength: 0 } });
          for (const { log } of world.drivers) log.length = 0;
        };
      }
      const error = await copy(world).then(
        () => null,
        (reason: unknown) => reason,
      );
      hasGone = steps >= at;
      if (!hasGone) continue;
      expect([at, world.near.driver.log.filter(ofWrites)]).toEqual([at, []]);
      if (error !== null) expect(error).toMatchObject({ code: 'ERR_OUT_OF_BOUNDS' });
    }
    expect(at).toBeGreaterThan(3);
  });

  test('keeps the queue that it was given', async () => {
    const world = await setUp(nearReaches, farReaches);
    const queue = world.near.createQueue();
    const copied = copy(world, { queue });
    queue[Symbol.dispose]();
    await copied;
    const lines = world.near.driver.taken().filter((line) => line.startsWith('made'));
    expect(lines.indexOf('made ends')).toBe(lines.length - 1);
    expect(elementsOf(world)).toEqual(expected);
  });

  test('of the same bytes under two addresses is one chunk', async () => {
    const world = await setUp(nearReaches, farReaches);
    const [to, from] = [world.to.memory as FakeMemory, world.from.memory as FakeMemory];
    from.hostOffset = 0n;
    to.hostOffset = from.pointer - to.pointer;
    await copy(world);
    expect(world.near.driver.taken().filter(ofWrites).length).toBeLessThanOrEqual(1);
    expect(elementsOf(world)).toEqual(expected);
  });
});

test('a queue that reaches neither side is refused, or gives way to one that does', async () => {
  for (const [, nearReaches, farReaches] of WAYS) {
    const world = await setUp(nearReaches, farReaches);
    const queue = world.near.driver.queues[1];
    await copy(world, { queue });
    expect(world.near.driver.taken().filter((line) => line.startsWith('q1:'))).toEqual([]);
    expect(elementsOf(world)).toEqual(expected);
  }
});
