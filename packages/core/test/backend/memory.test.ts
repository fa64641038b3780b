import { describe, expect, test } from 'vitest';
import { type Backend, type Event, Memory, memoryOf, Queue } from '../../src/backend/index.js';
import { makeDescriptor } from '../../src/index.js';

/** Queues and events that write down what they are asked for. */
class LoggedQueue extends Queue {
  readonly device = 0;
  readonly #name: string;
  readonly #log: string[];
  /** Names of the events that were reached. */
  readonly reached: Set<string> = new Set();
  /** What waits for its points wait for. */
  reaching: Promise<void> = Promise.resolve();
  failing = false;
  idle = false;
  #recorded = 0;

  constructor(name: string, log: string[]) {
    super();
    this.#name = name;
    this.#log = log;
  }

  record(): Event & { name: string } {
    const name = `${this.#name}${++this.#recorded}`;
    this.#log.push(`record ${name}`);
    const synchronize = async () => {
      await this.reaching;
      if (this.failing) throw new Error('device failed');
      this.reached.add(name);
    };
    const synchronizeSync = () => void this.reached.add(name);
    const query = () => {
      if (this.failing) throw new Error('device failed');
      return this.idle || this.reached.has(name);
    };
    return { name, query, synchronize, synchronizeSync };
  }

  wait(event: Event): void {
    this.#log.push(`${this.#name} waits ${(event as Event & { name: string }).name}`);
  }

  isSame(other: Queue): boolean {
    return this === other;
  }

  protected destroy(): void {
    this.#log.push(`destroy ${this.#name}`);
  }
}

class LoggedMemory extends Memory {
  readonly backend: Backend = {} as Backend;
  readonly pointer = 4096n;
  readonly allocation = { pointer: 4096n, byteLength: 64 };
  freedWith: number | null = null;
  own: Queue | null = null;

  protected override ownQueue(): Queue | null {
    return this.own;
  }

  protected free(pending: readonly Event[]): void {
    this.freedWith = pending.length;
  }
}

const owner = { name: 'a producer' };

function setUp(producer = false) {
  const log: string[] = [];
  const [p, q, r] = ['p', 'q', 'r'].map((name) => new LoggedQueue(name, log)) as [
    LoggedQueue,
    LoggedQueue,
    LoggedQueue,
  ];
  const memory = new LoggedMemory(producer ? { producer: owner, producerQueue: p } : {});
  memory.retain();
  const taken = () => log.splice(0);
  return { memory, p, q, r, taken };
}

describe('Memory', () => {
  test('orders work after all other queues that worked on it, not after its own', () => {
    const { memory, q, r, taken } = setUp();
    memory.after(q);
    memory.after(r);
    taken();
    memory.before(q);
    expect(taken()).toEqual(['q waits r1']);
  });

  test('waits for another queue’s work until that has ended, and again for what is newer', () => {
    const { memory, q, r, taken } = setUp();
    const waitsIn = (rounds: number) => {
      for (let i = 0; i < rounds; i++) memory.before(q);
      return taken();
    };
    memory.after(r);
    taken();
    expect(waitsIn(20)).toEqual(Array(20).fill('q waits r1'));
    r.reached.add('r1');
    expect(waitsIn(20).length).toBeLessThanOrEqual(4);
    expect(waitsIn(20)).toEqual([]);
    memory.after(r);
    expect(taken()).toEqual(['record r2']);
    expect(waitsIn(20)).toEqual(Array(20).fill('q waits r2'));
  });

  test('marks the same point for several memories once', () => {
    const { memory, q, r, taken } = setUp();
    const event = q.record();
    memory.after(q, event);
    memory.before(r);
    expect(taken()).toEqual(['record q1', 'r waits q1']);
  });

  test('keeps both halves of the stream rule for a producer', () => {
    const { memory, q, taken } = setUp(true);
    memory.before(q);
    expect(taken()).toEqual(['record p1', 'q waits p1']);
    memory.after(q);
    expect(taken()).toEqual(['record q1', 'p waits q1']);
  });

  test('needs neither half on the producer’s own queue', () => {
    const { memory, p, taken } = setUp(true);
    memory.before(p);
    memory.after(p);
    expect(taken()).toEqual(['record p1']);
  });

  test('exports one queue on which all pending work is found, and none when all has ended', () => {
    const { memory, q, r, taken } = setUp();
    expect(memory.exportQueue()).toBeNull();
    memory.after(q);
    memory.after(r);
    taken();
    expect(memory.exportQueue()).toBe(q);
    expect(taken()).toEqual(['q waits r1']);
    q.idle = true;
    r.idle = true;
    expect(memory.exportQueue()).toBeNull();
  });

  test('names a queue on which a consumer still works, though our own work has ended', () => {
    const { memory, q, taken } = setUp();
    memory.after(q);
    memory.exportQueue();
    q.reached.add('q1'); // ours; the consumer's, q2 and later, is not reached
    expect(memory.exportQueue()).toBe(q);
    expect(taken()).not.toContain('destroy q');
  });

  test('forgets each ended use once, whatever else fails', () => {
    const { memory, q, r, taken } = setUp();
    memory.after(q);
    memory.after(r);
    q.reached.add('q1');
    r.failing = true;
    expect(() => memory.exportQueue()).toThrow('device failed');
    expect(() => memory.exportQueue()).toThrow('device failed');
    q[Symbol.dispose]();
    expect(taken()).not.toContain('destroy q');
  });

  test('does not hoard queues whose work has ended', () => {
    const { memory, taken } = setUp();
    const log: string[] = [];
    for (let i = 0; i < 50; i++) {
      const queue = new LoggedQueue('x', log);
      memory.after(queue);
      queue.reached.add('x1');
      queue[Symbol.dispose]();
    }
    expect(taken()).toEqual([]);
    expect(log.filter((entry) => entry === 'destroy x').length).toBeGreaterThanOrEqual(45);
  });

  test('names a queue again that it named before, not ever more of them', () => {
    const { memory, q, taken } = setUp();
    const log: string[] = [];
    memory.after(q);
    memory.exportQueue();
    q.reached.add('q1'); // ours there has ended
    for (let i = 0; i < 50; i++) {
      const queue = new LoggedQueue('x', log);
      memory.after(queue);
      expect(memory.exportQueue()).toBe(q);
      queue.reached.add('x1');
      queue[Symbol.dispose]();
    }
    expect(taken()).toContain('q waits x1');
    expect(log.filter((entry) => entry === 'destroy x').length).toBeGreaterThanOrEqual(45);
  });

  test('names no queue that may end before it, but one of the backend’s own', () => {
    const { memory, q, r, taken } = setUp();
    const foreign = Object.assign(q, { isKept: false });
    memory.after(foreign);
    expect(memory.exportQueue()).toBeNull(); // a backend whose queues are all kept has no own
    memory.own = r;
    taken();
    expect(memory.exportQueue()).toBe(r);
    expect(taken()).toEqual(['r waits q1']);
  });

  test('is waited for on every queue, also when the work of one failed', async () => {
    const { memory, q, r } = setUp();
    memory.after(q);
    memory.after(r);
    q.failing = true;
    let reach = () => {};
    r.reaching = new Promise<void>((resolve) => {
      reach = resolve;
    });
    let ended = false;
    const waited = memory.synchronize().finally(() => {
      ended = true;
    });
    await new Promise((resolve) => setTimeout(resolve));
    expect(ended).toBe(false);
    reach();
    await expect(waited).rejects.toThrow('device failed');
  });

  test('ends with its last holder, with its pending work, and gives its queues back', () => {
    const { memory, q, taken } = setUp();
    memory.after(q);
    memory.retain();
    q[Symbol.dispose]();
    memory.release();
    expect([memory.ended, taken().includes('destroy q')]).toEqual([false, false]);
    memory.release();
    expect(memory).toMatchObject({ ended: true, freedWith: 1 });
    expect(taken()).toContain('destroy q');
    expect(() => memory.assertLive('array')).toThrow(
      expect.objectContaining({ code: 'ERR_DISPOSED', path: 'array' }),
    );
  });

  test('refuses arrays that leave its allocation', () => {
    const { memory } = setUp();
    const at = (pointer: bigint) => makeDescriptor({ pointer, shape: [4], dtype: 'float32' });
    memory.assertHolds(at(4096n), 'source');
    memory.assertHolds(at(4144n), 'source');
    for (const pointer of [4095n, 4145n]) {
      expect(() => memory.assertHolds(at(pointer), 'source')).toThrow(
        expect.objectContaining({ code: 'ERR_OUT_OF_BOUNDS', path: 'source' }),
      );
    }
  });

  test('is found behind an owner, and behind nothing else', () => {
    const { memory } = setUp();
    expect(memoryOf(memory)).toBe(memory);
    for (const other of [null, undefined, {}, 1n, 'cpu', () => 1])
      expect(memoryOf(other)).toBeNull();
  });
});
