import { expect, test } from 'vitest';
import { ended, enter, isIdle, pendingAt, pendingSince } from '../../src/order/pending-work.js';
import { HostQueue } from '../../src/order/queue.js';
import { type Access, countWork } from '../../src/order/work.js';

// Work of which the tests decide when it ends.
let looks = 0;
const memory = { assertReaches() {} };

/** An access, which counts how often its range is read. */
function bytes(start: number, end: number, writes = true): Access {
  return {
    memory,
    writes,
    get start() {
      looks++;
      return BigInt(start);
    },
    get end() {
      looks++;
      return BigInt(end);
    },
  };
}

interface Step {
  end(): void;
  readonly ended: Promise<void> | undefined;
}

const begun: string[] = [];
function step(name: string, accesses: readonly Access[], queue = new HostQueue()): Step {
  let end = () => {};
  const until = new Promise<void>((resolve) => {
    end = resolve;
  });
  const run = () => {
    begun.push(name);
    return { ended: until, join() {} };
  };
  return { end: () => end(), ended: enter({ queue, accesses, run }) };
}

/** What has begun since the last call, once all promises have settled that can. */
async function beginnings(): Promise<readonly string[]> {
  await new Promise((resolve) => setImmediate(resolve));
  return begun.splice(0);
}

test('work waits for the last writer of its bytes, a writer also for the readers since', async () => {
  const steps = {
    write: step('write', [bytes(0, 10)]),
    left: step('left', [bytes(0, 6, false)]),
    right: step('right', [bytes(4, 14, false)]),
    apart: step('apart', [bytes(20, 30)]),
    middle: step('middle', [bytes(5, 6)]),
    low: step('low', [bytes(0, 4)]),
    beyond: step('beyond', [bytes(12, 22)]),
    none: step('none', [bytes(5, 5)]),
    last: step('last', [bytes(0, 40, false), bytes(5, 6)]),
  };
  expect(await beginnings()).toEqual(['write', 'apart', 'none']);
  for (const [name, follow] of [
    ['none', []],
    ['write', ['left', 'right']],
    ['left', ['low']],
    ['right', ['middle']],
    ['apart', ['beyond']],
    ['middle', []],
    ['beyond', []],
    ['low', ['last']],
    ['last', []],
  ] as const) {
    steps[name].end();
    expect([name, await beginnings()]).toEqual([name, follow]);
  }
  expect(isIdle()).toBe(true);
});

test('readers of all bytes wait for the writers of some, and do not wait for one another', async () => {
  const writers = [0, 4, 10].map((at) => step(`write ${at}`, [bytes(at, at + 2)]));
  const readers = [1, 2].map((number) => step(`read ${number}`, [bytes(0, 20, false)]));
  const later = step('later', [bytes(2, 4)]);
  expect(await beginnings()).toEqual(['write 0', 'write 4', 'write 10']);
  expect(pendingAt(bytes(2, 3))).toHaveLength(1);
  for (const writer of writers) writer.end();
  expect(await beginnings()).toEqual(['read 1', 'read 2']);
  readers[1]?.end();
  expect(await beginnings()).toEqual([]);
  readers[0]?.end();
  expect(await beginnings()).toEqual(['later']);
  later.end();
  await later.ended;
  expect(pendingAt(bytes(0, 20))).toEqual([]);
});

test.each([
  { works: 'writers of the same bytes', accesses: () => [bytes(0, 8)] },
  {
    works: 'readers and writers of the same bytes',
    accesses: (i: number) => [bytes(0, 8, !(i % 3))],
  },
  { works: 'work on bytes of its own', accesses: (i: number) => [bytes(8 * i, 8 * i + 8)] },
  { works: 'work on its neighbours too', accesses: (i: number) => [bytes(8 * i, 8 * i + 9)] },
])('$works is visited as often when much of it is pending', async ({ accesses }) => {
  for (const count of [10, 1000]) {
    looks = 0;
    const steps = Array.from({ length: count }, (_, i) => step(`${i}`, accesses(i)));
    for (const { end } of steps) end();
    await Promise.all(steps.map((one) => one.ended));
    expect(await beginnings()).toHaveLength(count);
    expect(looks / count).toBeLessThan(8);
  }
});

test('a queue that waits repeatedly for an event waits for its work once', async () => {
  const [queue, other] = [new HostQueue(), new HostQueue()];
  const first = step('first', [bytes(0, 8)], queue);
  const event = queue.record();
  for (let i = 0; i < 100; i++) other.wait(event);
  expect(other.gates.size).toBe(1);
  const second = step('second', [bytes(8, 16)], other);
  expect(await beginnings()).toEqual(['first']);
  first.end();
  expect(await beginnings()).toEqual(['second']);
  expect(other.gates.size).toBe(0);
  second.end();
  await second.ended;
});

test('blocking for the last work of a long chain completes all before it', async () => {
  const queue = new HostQueue();
  const aside = step('aside', [bytes(100, 108)]);
  const steps = Array.from({ length: 20_000 }, (_, i) => step(`${i}`, [bytes(0, 8)], queue));
  pendingSince(0).at(-1)?.finish();
  expect(begun).toHaveLength(20_001);
  expect(queue.query()).toBe(true);
  expect(isIdle()).toBe(false);
  aside.end();
  await ended(pendingSince(0));
  for (const { end } of steps) end();
  await beginnings();
});

test.each([1, 2, 3, 4, 5])(
  'work never overlaps earlier work on bytes that one of them writes: %i',
  async (seed) => {
    let state = seed;
    const random = (below: number) => {
      state = (state * 48271) % 2147483647;
      return state % below;
    };
    const accesses = () =>
      Array.from({ length: 1 + random(2) }, () => {
        const start = random(40);
        return bytes(start, start + random(12), random(2) === 0);
      });
    const conflict = (one: Access, other: Access) =>
      (one.writes || other.writes) &&
      one.start < one.end &&
      other.start < other.end &&
      one.start < other.end &&
      other.start < one.end;
    const works: {
      accesses: readonly Access[];
      step: Step;
      hasBegun: boolean;
      hasEnded: boolean;
    }[] = [];
    for (let round = 0; round < 400; round++) {
      if (round < 200) {
        const own = accesses();
        const made = step(`${works.length}`, own);
        works.push({ accesses: own, step: made, hasBegun: false, hasEnded: false });
      }
      for (const name of await beginnings()) {
        const work = works[Number(name)] as (typeof works)[number];
        work.hasBegun = true;
      }
      works.forEach((work, index) => {
        const isHeld = works
          .slice(0, index)
          .some(
            (earlier) =>
              !earlier.hasEnded &&
              earlier.accesses.some((one) => work.accesses.some((other) => conflict(one, other))),
          );
        expect(work.hasBegun, `${index} in round ${round}`).toBe(!isHeld);
      });
      const running = works.filter(({ hasBegun, hasEnded }) => hasBegun && !hasEnded);
      if (running.length === 0 || (round < 200 && random(3) > 0)) continue;
      const ending = running[random(running.length)] as (typeof works)[number];
      ending.hasEnded = true;
      ending.step.end();
      await ending.step.ended;
    }
    expect(works.every(({ hasEnded }) => hasEnded)).toBe(true);
    expect(isIdle()).toBe(true);
  },
);

test.each([1, 2, 3, 4, 5])(
  'blocking for work completes all before it in order, fans and diamonds: %i',
  async (seed) => {
    let state = seed;
    const random = (below: number) => {
      state = (state * 48271) % 2147483647;
      return state % below;
    };
    for (let round = 0; round < 50; round++) {
      const log: string[] = [];
      const conflicts: [earlier: number, later: number][] = [];
      const all: { start: number; end: number; writes: boolean }[][] = [];
      const isApart = (one: (typeof all)[number], other: (typeof all)[number]) =>
        !one.some((a) =>
          other.some((b) => (a.writes || b.writes) && a.start < b.end && b.start < a.end),
        );
      const enters = Array.from({ length: 12 }, (_, index) => {
        const own = Array.from({ length: 1 + random(2) }, () => {
          const start = random(8);
          return { start, end: start + 1 + random(3), writes: random(2) === 0 };
        });
        for (const [earlier, one] of all.entries()) {
          if (!isApart(one, own)) conflicts.push([earlier, index]);
        }
        all.push(own);
        let end = () => {};
        const until = new Promise<void>((resolve) => {
          end = resolve;
        });
        const join = () => {
          log.push(`ends ${index}`);
          end();
        };
        const run = () => {
          log.push(`begins ${index}`);
          return { ended: until, join };
        };
        const accesses = own.map((one) => bytes(one.start, one.end, one.writes));
        return enter({ queue: new HostQueue(), accesses, run });
      });
      for (const work of pendingSince(0).toReversed()) work.finish();
      for (const [earlier, later] of conflicts) {
        const at = (what: string) => log.indexOf(what);
        expect(at(`ends ${earlier}`), `${later} after ${earlier} in ${log}`).toBeGreaterThan(-1);
        expect(at(`begins ${later}`)).toBeGreaterThan(at(`ends ${earlier}`));
      }
      await Promise.all(enters);
      expect(isIdle()).toBe(true);
    }
  },
);

// What is forgotten on the way is waited for in vain.
test('synchronous work goes on after pending work ends, however long the chain', {
  timeout: 60_000,
}, async () => {
  const queue = new HostQueue();
  const first = step('first', [bytes(0, 8)], queue);
  let done = 0;
  const run = () => {
    done++;
    return undefined;
  };
  const rest = Array.from({ length: 20_000 }, () => enter({ queue, accesses: [bytes(0, 8)], run }));
  expect(done).toBe(0);
  first.end();
  await Promise.all(rest);
  expect([done, isIdle()]).toEqual([20_000, true]);
  await beginnings();
});

test('the pending work since a count is all of it', async () => {
  const before = step('before', [bytes(0, 8)]);
  const count = countWork();
  const names = ['one', 'two', 'three'];
  const since = names.map((name, index) => step(name, [bytes(8 * index + 8, 8 * index + 16)]));
  expect(pendingSince(count)).toHaveLength(3);
  since[0]?.end();
  await since[0]?.ended;
  expect(pendingSince(count)).toHaveLength(2);
  for (const { end } of [before, ...since]) end();
  await ended(pendingSince(0));
  await beginnings();
});
