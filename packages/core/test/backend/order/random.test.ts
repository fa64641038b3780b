import { random } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OwnedArray } from '../../../src/index.js';
import { defineKernel, type Kernel } from '../../../src/kernel/index.js';
import {
  type FakeArray,
  FakeBackend,
  FakeDriver,
  type FakeQueue,
} from '../../support/fake-driver.js';
import { nextTurn } from '../../support/next-turn.js';

// Work of all kinds on a few arrays and queues, with kernels that are built in any order, against what the
// documentation says of the order: a model that has neither turns nor lines.

/** Enough for work on other arrays to be as usual as work on the same. */
const ARRAYS = 6;
/** The queues that work names: none, the default one, and two others. */
const QUEUES = [undefined, 'default', 0, 1] as const;

interface Ask {
  readonly kind: 'launch' | 'copy' | 'use';
  /** Indices of arrays. */
  readonly writes: number;
  readonly reads: number;
  readonly queue: (typeof QUEUES)[number];
  readonly isSlow: boolean;
}

/** The so-manieth of the kernels that are being built. */
interface EndOfBuild {
  readonly pick: number;
  readonly fails: boolean;
}

const ask: fc.Arbitrary<Ask> = fc
  .record({
    kind: fc.constantFrom('launch', 'launch', 'copy', 'use'),
    writes: fc.nat(ARRAYS - 1),
    reads: fc.nat(ARRAYS - 1),
    queue: fc.constantFrom(...QUEUES),
    isSlow: fc.boolean(),
  })
  .filter(({ writes, reads }) => writes !== reads) as fc.Arbitrary<Ask>;
const endOfBuild: fc.Arbitrary<EndOfBuild> = fc.record({ pick: fc.nat(9), fails: fc.boolean() });
const program = fc.array(fc.oneof({ weight: 2, arbitrary: ask }, endOfBuild), {
  maxLength: 25,
  size: 'max',
});

/** Work as the model knows it. */
interface Work {
  readonly name: string;
  readonly queue: FakeQueue;
  /** Whether it comes after all work requested on its queue. */
  readonly isInQueueOrder: boolean;
  readonly writes: number;
  readonly reads: number;
  /** Of copies, which the driver has no names for. */
  hasRun: boolean;
  isBuilt: boolean;
  hasFailed: boolean;
  hasEnded: boolean;
}

function mustFollow(later: Work, earlier: Work): boolean {
  if (later.isInQueueOrder && later.queue === earlier.queue) return true;
  return [earlier.writes, earlier.reads].includes(later.writes) || later.reads === earlier.writes;
}

/** What runs now that waits for nothing any more. */
function endAll(asked: readonly Work[]): string[] {
  const ran: string[] = [];
  for (const [index, work] of asked.entries()) {
    if (work.hasEnded || !work.isBuilt) continue;
    if (asked.slice(0, index).some((one) => !one.hasEnded && mustFollow(work, one))) continue;
    work.hasEnded = true;
    if (!work.hasFailed) ran.push(work.name);
  }
  return ran;
}

class Run {
  readonly #driver = new FakeDriver();
  readonly #backend = new FakeBackend(this.#driver);
  readonly #queues = [this.#backend.createQueue(), this.#backend.createQueue()];
  /** Two have a queue of their own. */
  readonly #arrays = Array.from({ length: ARRAYS }, (_, i) =>
    this.#backend.empty([4], 'uint8', i < ARRAYS - 2 ? {} : { queue: this.#queues[0] as never }),
  );
  readonly #asked: Work[] = [];
  readonly #builds = new Map<string, { end(): void; fail(): void }>();
  readonly #ran: string[] = [];
  readonly #settled: Promise<unknown>[] = [];

  constructor() {
    const driver = this.#driver;
    driver.builds = (kernel) => {
      const work = this.#asked.find(({ name }) => name === kernel.name);
      if (work?.isBuilt !== false) return kernel;
      return new Promise((resolve, reject) => {
        const fail = () => reject(new Error('not built'));
        this.#builds.set(kernel.name, { end: () => resolve(kernel), fail });
      });
    };
    driver.launches = (_queue, built) => {
      this.#ran.push((built as Kernel).name ?? 'a kernel that is not built');
    };
    driver.enqueue = (queue, _plan, target, origin) => {
      // Copies of the same memories run in the order in which they were requested.
      const at = (memory: unknown) => this.#arrays.findIndex((array) => array.memory === memory);
      const [writes, reads] = [at(target), at(origin)];
      const isIt = (one: Work) =>
        one.name.startsWith('copy') && one.writes === writes && one.reads === reads;
      const work = this.#asked.find((one) => isIt(one) && one.queue === queue && !one.hasRun);
      if (work !== undefined) work.hasRun = true;
      this.#ran.push(work?.name ?? 'a copy that nobody asked for');
    };
  }

  #queueOf({ kind, writes, reads, queue }: Ask): FakeQueue {
    if (queue === 'default') return this.#driver.queues[0] as FakeQueue;
    if (queue !== undefined) return this.#queues[queue] as FakeQueue;
    if (kind === 'use') return this.#queues[1] as FakeQueue;
    const [to, from] = [this.#arrays[writes], this.#arrays[reads]];
    const home = to?.memory.homeQueue ?? (kind === 'copy' ? from?.memory.homeQueue : null);
    return (home ?? this.#driver.queues[0]) as FakeQueue;
  }

  ask(step: Ask): void {
    const { kind, writes, reads, isSlow } = step;
    const name = `${kind} ${this.#asked.length}`;
    const queue = this.#queueOf(step);
    // What names no queue, on one that is for all, comes after work of its arrays alone. Of copies, which
    // may be steps of others, those that name that one too.
    const isForAll = queue === this.#driver.queues[0];
    const isNamed = kind === 'use' || (kind === 'launch' && step.queue !== undefined);
    const work: Work = {
      ...{ name, queue, writes, reads, isInQueueOrder: isNamed || !isForAll },
      ...{
        isBuilt: kind !== 'launch' || !isSlow,
        hasFailed: false,
        hasEnded: false,
        hasRun: false,
      },
    };
    this.#asked.push(work);
    const [to, from] = [this.#arrays[writes], this.#arrays[reads]] as [
      OwnedArray<FakeArray>,
      OwnedArray<FakeArray>,
    ];
    const named = step.queue === undefined ? {} : { queue };
    const settled = {
      launch: () =>
        this.#backend.launch(kernelOf(name), { range: [1], ...named }, { to, from } as never),
      copy: () => this.#backend.copy(to, from, named),
      use: () =>
        this.#backend.use(queue, { writes: [to], reads: [from] }, () => this.#ran.push(name)),
    }[kind]();
    settled.catch(() => {});
    this.#settled.push(settled);
  }

  endBuild({ pick, fails }: EndOfBuild): void {
    const names = [...this.#builds.keys()];
    const name = names[pick % Math.max(1, names.length)];
    if (name === undefined) return;
    const work = this.#asked.find((one) => one.name === name) as Work;
    work.isBuilt = true;
    work.hasFailed = fails;
    this.#builds.get(name)?.[fails ? 'fail' : 'end']();
    this.#builds.delete(name);
  }

  /** Compares what has run since the last time. */
  async compare(): Promise<void> {
    await nextTurn();
    const ran = this.#ran.splice(0);
    const expected = endAll(this.#asked);
    expect([...ran].sort(), 'what runs, and what waits').toEqual([...expected].sort());
    const known = ran.map((name) => this.#asked.find((one) => one.name === name) as Work);
    for (const [index, later] of known.entries()) {
      for (const one of known.slice(index + 1)) {
        const isLater = this.#asked.indexOf(one) < this.#asked.indexOf(later);
        const isWrong = isLater && mustFollow(later, one);
        expect(isWrong, `${later.name} runs before ${one.name}`).toBe(false);
      }
    }
  }

  async end(): Promise<void> {
    while (this.#builds.size > 0) {
      this.endBuild({ pick: 0, fails: false });
      await this.compare();
    }
    const ends = await Promise.allSettled(this.#settled);
    const failed = ends.map(({ status }) => status === 'rejected');
    expect(failed, 'which reject').toEqual(this.#asked.map(({ hasFailed }) => hasFailed));
    for (const one of [...this.#arrays, ...this.#queues]) one[Symbol.dispose]();
    await nextTurn();
    expect(this.#driver.live.size, 'memories that ended work keeps').toBe(0);
  }
}

function kernelOf(name: string): Kernel {
  const parameters = { to: { write: 'uint8' }, from: { read: 'uint8' } } as const;
  return defineKernel({ name, parameters, code: { fake: {} } as never }) as Kernel;
}

test('work runs as soon as its kernel is built and all before it has run, and not before', async () => {
  const property = fc.asyncProperty(program, async (steps) => {
    const run = new Run();
    for (const step of steps) {
      if ('kind' in step) run.ask(step);
      else run.endBuild(step);
      await run.compare();
    }
    await run.end();
  });
  await fc.assert(property, random(1000));
});
