import { random } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Accesses,
  type NativeQueue,
  type TrackedMemory,
  WaitList,
} from '../../../src/backend/order/wait-list.js';

/** One of several objects that stand for a native queue. */
class NamedQueue implements NativeQueue {
  readonly name: number;

  constructor(name: number) {
    this.name = name;
  }

  isSame(other: NativeQueue): boolean {
    return (other as NamedQueue).name === this.name;
  }
}

const queues = [0, 0, 1].map((name) => new NamedQueue(name));
const [one, other] = [{}, {}];
const place = (backend: object, first: bigint, byteLength: number, shift = 0n): TrackedMemory => ({
  ...{ backend, allocation: { pointer: first, byteLength }, shift },
});
/** Of two backends; some overlap, one under other addresses, and one may be anywhere. */
const memories: readonly TrackedMemory[] = [
  ...[place(one, 0n, 4), place(one, 4n, 4), place(one, 2n, 4), place(one, 100n, 4, -96n)],
  ...[place(other, 0n, 4), { backend: other, allocation: null, shift: 0n }],
];

const work: fc.Arbitrary<Accesses> = fc.record({
  queues: fc.subarray(queues, { maxLength: 2 }),
  isInQueueOrder: fc.boolean(),
  uses: fc.array(fc.record({ memory: fc.constantFrom(...memories), writes: fc.boolean() }), {
    maxLength: 2,
  }),
});

/** A request for work, or the end of one of the works that may end, by index. */
const program = fc.array(fc.oneof({ weight: 3, arbitrary: work }, fc.nat(9)), { maxLength: 25 });

function bytesOf({ allocation, shift }: TrackedMemory): [bigint, bigint] {
  if (allocation === null) return [0n, 1n << 64n];
  const start = allocation.pointer + shift;
  return [start, start + BigInt(allocation.byteLength)];
}

function overlap(a: TrackedMemory, b: TrackedMemory): boolean {
  const [[start, end], [from, to]] = [bytesOf(a), bytesOf(b)];
  return a.backend === b.backend && start < to && from < end;
}

/** Whether work must follow earlier work, by the documentation alone. */
function mustFollow(later: Accesses, earlier: Accesses): boolean {
  const sameQueue = later.queues.some((a) => earlier.queues.some((b) => a.isSame(b)));
  if (later.isInQueueOrder && sameQueue) return true;
  return later.uses.some((a) =>
    earlier.uses.some((b) => (a.writes || b.writes) && overlap(a.memory, b.memory)),
  );
}

/** All that work comes after, by what each says itself. */
function allBefore(number: number, followed: ReadonlyMap<number, Iterable<number>>): Set<number> {
  const all = new Set<number>(followed.get(number));
  for (const before of all) for (const one of followed.get(before) ?? []) all.add(one);
  return all;
}

test('work follows all that it must, directly or indirectly, and nothing else', () => {
  const settings = random(2000);
  const check = fc.property(program, (steps) => {
    const line = new WaitList<number>();
    const asked: Accesses[] = [];
    const known = new Map<number, Iterable<number>>();
    const wanted = new Map<number, Iterable<number>>();
    const live = new Set<number>();
    for (const step of steps) {
      if (typeof step === 'object') {
        const number = asked.push(step) - 1;
        known.set(number, line.earlierThan(step));
        wanted.set(
          number,
          [...live].filter((one) => mustFollow(step, asked[one] as Accesses)),
        );
        line.add(number, step);
        live.add(number);
        const sorted = (of: typeof known) => [...allBefore(number, of)].sort((a, b) => a - b);
        expect(sorted(known)).toEqual(sorted(wanted));
        continue;
      }
      const first = [...live].filter(
        (one) => ![...allBefore(one, wanted)].some((b) => live.has(b)),
      );
      const ended = first[step % Math.max(1, first.length)];
      if (ended === undefined) continue;
      line.remove(ended, asked[ended] as Accesses);
      live.delete(ended);
      for (const of of [known, wanted]) {
        of.delete(ended);
        for (const [number, all] of of)
          of.set(
            number,
            [...all].filter((one) => one !== ended),
          );
      }
    }
    expect(line.works).toEqual(live);
    for (const number of [...live]) line.remove(number, asked[number] as Accesses);
    for (const queue of queues) expect(line.lastOn(queue)).toEqual([]);
    for (const memory of memories) expect(line.lastAt(memory)).toEqual([]);
  });
  fc.assert(check, settings);
});
