import { median } from './median.mjs';

/**
 * Judges whether this library's times reach a target. `{ against, least }`: at least so many times
 * as fast as `against`. `{ against, most }`: at most so many times its time. `{ most }`: at most so
 * many nanoseconds. `who` is a contender that is not called `ours`. `figure` and `reached` are null
 * if one of the two did not run.
 */
export function judge(work, target, turns) {
  return judged(work, target, figureOf(target, turns));
}

/** Judges a figure that was computed elsewhere. */
export function judged(work, target, figure) {
  return { work, target: wording(target), ...target, figure, reached: isReached(target, figure) };
}

function figureOf({ who = 'ours', against, least }, turns) {
  const ran = turns.length > 0 && [against ?? who, who].every((one) => one in turns[0]);
  if (!ran) return null;
  return median(
    turns.map((turn) => {
      const ours = turn[who].nanoseconds;
      if (against === undefined) return ours;
      const theirs = turn[against].nanoseconds;
      return least === undefined ? ours / theirs : theirs / ours;
    }),
  );
}

/** Null if it was not measured. */
function isReached({ least, most }, figure) {
  if (figure === null) return null;
  return least === undefined ? figure <= most : figure >= least;
}

/** The target as the issues of this repository word it. */
export function wording({ against, least, most }) {
  if (against === undefined) return `≤ ${inWords(most)}`;
  if (least === undefined) return `≤ ${most} × ${against}`;
  if (least === 1) return `≥ ${against}`;
  return least < 1 ? `≥ ${least} of ${against}` : `≥ ${least} × ${against}`;
}

function inWords(nanoseconds) {
  if (nanoseconds < 1e3) return `${nanoseconds} ns`;
  return nanoseconds < 1e6 ? `${nanoseconds / 1e3} µs` : `${nanoseconds / 1e6} ms`;
}

/** The geometric mean of figures; null if one is missing. */
export function geometricMean(figures) {
  if (figures.length === 0 || figures.includes(null)) return null;
  return Math.exp(figures.reduce((sum, figure) => sum + Math.log(figure), 0) / figures.length);
}

/** The lowest of figures; null if one is missing. */
export function lowest(figures) {
  return figures.length === 0 || figures.includes(null) ? null : Math.min(...figures);
}
