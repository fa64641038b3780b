import fc from 'fast-check';

/**
 * Calls of this library that fail: the first or a later call of a function after a step begins, or
 * all of them up to another step. Calls of the stranger never fail.
 */
export interface Fault {
  readonly call: string;
  readonly error: string;
  /** Which call from then on, counted from 1; null: all. */
  readonly nth: number | null;
  /** The step before which it is planned. */
  readonly from: number;
  /** The step before which the fault is cancelled. */
  readonly until: number;
}

/** What can fail, and how. */
export interface FaultKinds {
  /** Functions that this library's backend calls. Repeated ones are drawn more often. */
  readonly calls: readonly string[];
  /** Errors of calls that did nothing. */
  readonly errors: readonly string[];
  /** Errors after which nothing works in a context any more, for calls that are made in one. */
  readonly losing: readonly string[];
  readonly losingCalls: readonly string[];
}

const big = fc.nat({ max: 999 });

/** A fault as drawn. Shrinks to the first call of a function, which fails at once. */
const choice = fc.record({
  call: big,
  error: big,
  /** Percentage; the last ones lose the context. */
  loses: fc.nat({ max: 99 }),
  nth: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 5 }) },
    { weight: 3, arbitrary: fc.constant(null) },
  ),
  from: big,
  length: big,
});

/**
 * One fault, several, some that last for a while, and some that stay, for a program of a number of
 * steps. All are over before its last step.
 */
export function randomFaults(kinds: FaultKinds): fc.Arbitrary<(steps: number) => readonly Fault[]> {
  return fc.array(choice, { minLength: 1, maxLength: 4, size: 'max' }).map((choices) => (steps) => {
    const last = steps - 1;
    return choices.map(({ call, error, loses, nth, from, length }) => {
      const isLosing = loses >= 95 && kinds.losing.length > 0;
      const errors = isLosing ? kinds.losing : kinds.errors;
      const calls = isLosing ? kinds.losingCalls : kinds.calls;
      const start = from % Math.max(1, last);
      const isBrief = nth === null && length < 700;
      const until = isBrief ? Math.min(last, start + 1 + (length % 12)) : last;
      return {
        call: calls[call % calls.length] as string,
        error: errors[error % errors.length] as string,
        nth,
        from: start,
        until,
      };
    });
  });
}

/** The faults in words, a line for each. */
export function showFaults(faults: readonly Fault[]): string {
  return faults
    .map(({ call, error, nth, from, until }) => {
      const which = nth === null ? `every ${call}` : `${call} number ${nth}`;
      return `From line ${from + 1} to ${until}, ${which} of ours fails: ${error}`;
    })
    .join('\n');
}
