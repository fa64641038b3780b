import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { checkOptions, readOption } from '../input/argument.js';

/** The number of steps that a search may still take. */
export interface Budget {
  readonly maxWork: number;
  left: number;
}

/** `step` times one of 0, 1 … `most`; neither is negative. */
export interface Term {
  readonly step: number;
  most: number;
}

/**
 * A number if every intermediate result is exact in one, else a bigint. The same operators work on
 * both, provided that no operand is a literal and `/` leaves no remainder.
 */
type Int = number;

/** What this term and those of smaller steps can sum up to. */
interface Suffix {
  readonly step: Int;
  readonly most: Int;
  /** The largest sum. */
  readonly total: Int;
  /** A common divisor of all sums; 0 if there are no terms. */
  readonly divisor: Int;
  /** Whether every multiple of `divisor` up to `total` is a sum. */
  readonly complete: boolean;
  /** Whether every window that overlaps 0 … `total` contains a sum. */
  readonly dense: boolean;
}

const MAX_WORK = 1_000_000;

/** Reads `maxWork`, by default 1,000,000 steps. Throws ERR_ARGUMENT. */
export function readBudget(options: { readonly maxWork?: number } | undefined): Budget {
  if (options === undefined) return { maxWork: MAX_WORK, left: MAX_WORK };
  checkOptions(options, ['maxWork']);
  const maxWork = readOption(options, 'maxWork', MAX_WORK);
  if (typeof maxWork === 'number' && maxWork >= 0) return { maxWork, left: maxWork };
  throw mismatch('ERR_ARGUMENT', 'maxWork', 'a number of steps, 0 or more', show(maxWork));
}

/** Adds a term to a list that is sorted by step, the smallest first. */
export function addTerm(terms: Term[], step: number, most: number): void {
  if (step === 0 || most === 0) return;
  let place = 0;
  while (place < terms.length && (terms[place] as Term).step < step) place++;
  const same = terms[place];
  // two terms of the same step also work if their sum is not exact
  if (same?.step === step && Number.isSafeInteger(same.most + most)) same.most += most;
  else terms.splice(place, 0, { step, most });
}

/**
 * Returns whether a sum of the terms lies in `highest - slack` … `highest`. This is a bounded
 * linear Diophantine problem, NP-hard in the number of terms, but fast for all but contrived ones.
 * The terms are sorted, as by `addTerm`. Throws ERR_TOO_HARD.
 */
export function sumWithin(
  terms: readonly Term[],
  highest: bigint,
  slack: bigint,
  budget: Budget,
): boolean {
  let largest = Number(slack + highest); // exceeds all sums and products
  for (const { step, most } of terms) largest += step * (step + most);
  const isExact = Number.isSafeInteger(largest);
  const int = (isExact ? Number : BigInt) as (value: number | bigint) => Int;
  const all = isExact
    ? terms
    : terms.map(({ step, most }) => ({ step: int(step), most: int(most) }));
  const suffixes = suffixesOf(all, int(slack));
  return search(suffixes, suffixes.length - 1, int(highest), int(slack), budget);
}

function suffixesOf(terms: readonly Term[], slack: Int): Suffix[] {
  const zero = slack - slack;
  let last: Suffix = {
    step: zero,
    most: zero,
    total: zero,
    divisor: zero,
    complete: true,
    dense: true,
  };
  const suffixes = [last];
  for (const { step, most } of terms) {
    const divisor = greatestDivisor(step, last.divisor);
    const gap = step - last.total;
    last = {
      step,
      most,
      total: last.total + step * most,
      divisor,
      complete:
        suffixes.length === 1 || (last.complete && divisor === last.divisor && gap <= divisor),
      dense: last.dense && gap - slack <= 1,
    };
    suffixes.push(last);
  }
  return suffixes;
}

/** `sumWithin` for the terms up to `index`. */
function search(
  suffixes: readonly Suffix[],
  index: number,
  highest: Int,
  slack: Int,
  budget: Budget,
): boolean {
  const { step, most, total, divisor, complete, dense } = suffixes[index] as Suffix;
  const low = highest - slack;
  const high = highest > total ? total : highest;
  if (low > high || high < 0) return false;
  if (dense) return true;
  if (high - (high % divisor) < low) return false;
  if (complete) return true;
  const next = suffixes[index - 1] as Suffix;
  const least = low - next.total;
  let times = least > 0 ? ceiling(least, step) : least - least;
  for (;;) {
    // the remaining terms can hit the window only if it contains a multiple of their divisor
    const excess = mod(highest - times * step, next.divisor);
    if (excess > slack) {
      const from = next.divisor - excess;
      times += firstBetween(mod(-step, next.divisor), next.divisor, from, from + slack);
    }
    if (times > most || times * step > high) return false;
    if (budget.left-- <= 0) {
      throw mismatch(
        'ERR_TOO_HARD',
        'maxWork',
        `an answer within ${budget.maxWork} steps`,
        'none yet',
        'raise maxWork, or compare only the extents with mayShareMemory',
      );
    }
    if (search(suffixes, index - 1, highest - times * step, slack, budget)) return true;
    times++;
  }
}

/**
 * Finds the least `x` with `step * x` modulo `modulus` in `low` … `high`, as Euclid's algorithm
 * does. 0 is not in that range. Such an `x` exists, since a multiple of the common divisor lies in
 * the range.
 */
function firstBetween(step: Int, modulus: Int, low: Int, high: Int): Int {
  const back = modulus - step;
  if (step > back) return firstBetween(back, modulus, modulus - high, modulus - low);
  const direct = ceiling(low, step);
  if (direct * step <= high) return direct;
  // no multiple of the step in the window: count the wraps around the modulus instead
  const turns = firstBetween(mod(-modulus, step), step, low % step, high % step);
  return ceiling(low + modulus * turns, step);
}

/** Returns the quotient, rounded up. */
function ceiling(value: Int, divisor: Int): Int {
  return (value + mod(-value, divisor)) / divisor;
}

function mod(value: Int, modulus: Int): Int {
  const rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

function greatestDivisor(a: Int, b: Int): Int {
  return b ? greatestDivisor(b, a % b) : a;
}
