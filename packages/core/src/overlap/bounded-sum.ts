import { ArrayInterfaceError } from '../errors/error.js';
import { show } from '../errors/show.js';
import { readOption } from '../input/argument.js';

/** Steps that a search may still take. */
export interface Budget {
  readonly maxWork: number;
  left: number;
}

/** `step` times 0, 1 … `most`, to be chosen; neither is negative. */
export interface Term {
  readonly step: bigint;
  readonly most: bigint;
}

/** What the terms from one on can sum up to. */
interface Tail {
  readonly step: bigint;
  readonly most: bigint;
  /** The largest sum. */
  readonly total: bigint;
  /** Every sum is a multiple of it; 0 of no terms. */
  readonly divisor: bigint;
  /** Whether every multiple of `divisor` up to `total` is a sum. */
  readonly complete: boolean;
  /** Whether a sum lies in every window that reaches into 0 … `total`. */
  readonly dense: boolean;
}

/** A search may take 1,000,000 steps unless `maxWork` says otherwise. Throws ERR_ARGUMENT. */
export function readBudget(options: { readonly maxWork?: number }): Budget {
  const maxWork = readOption(options, 'maxWork', 1_000_000);
  if (typeof maxWork === 'number' && maxWork >= 0) return { maxWork, left: maxWork };
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'maxWork',
    `expected a number of steps, 0 or more, got ${show(maxWork)}`,
  );
}

/**
 * Whether a sum of the terms lies in `highest - slack` … `highest`: a bounded linear Diophantine
 * problem, NP-hard in the number of terms, and quick for all but contrived ones. Throws ERR_TOO_HARD.
 */
export function sumWithin(
  terms: readonly Term[],
  highest: bigint,
  slack: bigint,
  budget: Budget,
): boolean {
  const tails = tailsOf(merge(terms), slack);
  return search(tails, 0, highest, slack, budget);
}

/** Terms of different steps, the largest first. */
function merge(terms: readonly Term[]): Term[] {
  const most = new Map<bigint, bigint>();
  for (const term of terms) {
    if (term.step > 0n && term.most > 0n) {
      most.set(term.step, (most.get(term.step) ?? 0n) + term.most);
    }
  }
  return [...most]
    .map(([step, times]) => ({ step, most: times }))
    .sort((a, b) => (a.step < b.step ? 1 : -1));
}

function tailsOf(terms: readonly Term[], slack: bigint): Tail[] {
  let after: Tail = { step: 0n, most: 0n, total: 0n, divisor: 0n, complete: true, dense: true };
  const tails = [after];
  for (const { step, most } of terms.toReversed()) {
    const divisor = greatestDivisor(step, after.divisor);
    const only = after.divisor === 0n;
    after = {
      step,
      most,
      total: after.total + step * most,
      divisor,
      complete:
        only || (after.complete && divisor === after.divisor && step <= after.total + divisor),
      dense: after.dense && step <= after.total + slack + 1n,
    };
    tails.unshift(after);
  }
  return tails;
}

/** `sumWithin` of the terms from `index` on. */
function search(
  tails: readonly Tail[],
  index: number,
  highest: bigint,
  slack: bigint,
  budget: Budget,
): boolean {
  const { step, most, total, divisor, complete, dense } = tails[index] as Tail;
  const low = highest - slack < 0n ? 0n : highest - slack;
  const high = highest > total ? total : highest;
  if (low > high) return false;
  if (dense) return true;
  if (high - (high % divisor) < low) return false;
  if (complete) return true;
  const next = tails[index + 1] as Tail;
  const least = low - next.total;
  const end = min(most, high / step);
  let times = least <= 0n ? 0n : (least + step - 1n) / step;
  for (;;) {
    // only where a multiple of the rest's divisor is in the window can the rest reach it
    const excess = mod(highest - times * step, next.divisor);
    if (excess > slack) {
      const from = next.divisor - excess;
      times += firstBetween(mod(-step, next.divisor), next.divisor, from, from + slack);
    }
    if (times > end) return false;
    if (budget.left-- <= 0) throw tooHard(budget);
    if (search(tails, index + 1, highest - times * step, slack, budget)) return true;
    times++;
  }
}

/**
 * The least `x` with `step * x` modulo `modulus` in `low` … `high`, of which 0 is no part, as Euclid's
 * algorithm finds it. There is one, since a multiple of their common divisor is in there.
 */
function firstBetween(step: bigint, modulus: bigint, low: bigint, high: bigint): bigint {
  if (step * 2n > modulus) {
    return firstBetween(modulus - step, modulus, modulus - high, modulus - low);
  }
  const direct = (low + step - 1n) / step;
  if (direct * step <= high) return direct;
  // no multiple of the step in the window: count the turns around the modulus instead
  const turns = firstBetween(mod(-modulus, step), step, low % step, high % step);
  return (low + modulus * turns + step - 1n) / step;
}

function mod(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b);
}

function tooHard({ maxWork }: Budget): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_TOO_HARD',
    'maxWork',
    `expected an answer within ${maxWork} steps, got none yet; allow more with maxWork, ` +
      'or make do with the extents, as mayShareMemory does',
  );
}
