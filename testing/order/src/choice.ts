import fc from 'fast-check';

/** How often we do each thing, for one of the others. */
const OURS = {
  empty: 6,
  array: 2,
  view: 4,
  fill: 12,
  copy: 14,
  upload: 3,
  read: 5,
  loan: 4,
  look: 2,
  recordUse: 3,
  end: 6,
  drop: 1,
  synchronize: 1,
  createQueue: 6,
  wrapStream: 2,
  endQueue: 2,
  createPool: 1,
  endPool: 1,
  releaseCached: 1,
  idle: 2,
  turn: 2,
} as const;

/** The same of the stranger. */
const STRANGERS = {
  borrow: 6,
  createStream: 4,
  destroyStream: 3,
  hold: 3,
  letGo: 2,
  allocate: 4,
  free: 1,
  move: 1,
  strangerFills: 4,
  strangerCopies: 3,
  strangerReads: 3,
  use: 10,
  useAgain: 3,
  relay: 3,
  relayFills: 3,
  relayReads: 2,
} as const;

export type OurVerb = keyof typeof OURS;
export type StrangerVerb = keyof typeof STRANGERS;
/** Those that take arrays of ours. */
export type UseVerb = 'use' | 'useAgain' | 'relay' | 'relayFills' | 'relayReads';

/** What is done. */
export type Verb = OurVerb | StrangerVerb;

/** One thing of a random program: what is done, and numbers that say with what. */
export interface Choice {
  readonly verb: Verb;
  readonly numbers: readonly number[];
}

const verb = fc.oneof(
  { withCrossShrink: true },
  ...Object.entries({ ...OURS, ...STRANGERS }).map(([name, weight]) => ({
    weight,
    arbitrary: fc.constant(name as Verb),
  })),
);
const numbers = fc.array(fc.nat({ max: 999 }), { minLength: 16, maxLength: 16 });

/** A program as it is drawn; shrinks to fewer things and smaller numbers. */
export const choices: fc.Arbitrary<Choice[]> = fc.array(fc.record({ verb, numbers }), {
  minLength: 0,
  maxLength: 40,
  size: 'max',
});

/** The numbers of one choice, taken one after the other; 0 stands for the simplest. */
export class Picker {
  readonly #numbers: readonly number[];
  #next = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** From 0 to `count` - 1. */
  below(count: number): number {
    return (this.#numbers[this.#next++] ?? 0) % count;
  }

  /** True in so many of a hundred cases. */
  chance(percent: number): boolean {
    return this.below(100) >= 100 - percent;
  }

  /** One of a list that is not empty. */
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}
