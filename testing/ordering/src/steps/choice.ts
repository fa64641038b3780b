import fc from 'fast-check';

/** Weights of this library's steps. */
const OURS = {
  empty: 6,
  array: 2,
  view: 4,
  fill: 12,
  copy: 14,
  upload: 3,
  full: 2,
  take: 3,
  put: 5,
  where: 3,
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

/** Weights of the stranger's steps. */
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
/** Steps that make arrays of others' elements, or change some of them. */
export type IndexVerb = 'full' | 'take' | 'put' | 'where';
/** Steps of the stranger with arrays of this library. */
export type UseVerb = 'use' | 'useAgain' | 'relay' | 'relayFills' | 'relayReads';

/** The name of a step. */
export type Verb = OurVerb | StrangerVerb;

/** One choice of a random program: a step, and numbers that choose its operands. */
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

/** A program as drawn. Shrinks to fewer steps and smaller numbers. */
export const choices: fc.Arbitrary<Choice[]> = fc.array(fc.record({ verb, numbers }), {
  minLength: 0,
  maxLength: 40,
  size: 'max',
});

/** The numbers of one choice, taken in order; 0 means the simplest. */
export class Picker {
  readonly #numbers: readonly number[];
  #next = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** A number from 0 to `count` - 1. */
  below(count: number): number {
    return (this.#numbers[this.#next++] ?? 0) % count;
  }

  /** True in `percent` of a hundred cases. */
  chance(percent: number): boolean {
    return this.below(100) >= 100 - percent;
  }

  /** An entry of a list, which must not be empty. */
  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** An entry of a list; undefined if it is empty. */
  any<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : this.of(list);
  }
}
