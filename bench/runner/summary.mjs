import { geometricMean, judged, lowest } from './judge.mjs';

const figuresOf = (targets, against) =>
  targets.filter((one) => one.against === against).map(({ figure }) => figure);

/**
 * Combines the targets of single layouts into one: `least` for the mean of the ratios to `against`.
 */
export function mean(targets, against, least) {
  const figure = geometricMean(figuresOf(targets, against));
  return judged('geometric mean', { against, least }, figure);
}

/** Does the same for the worst of them. */
export function worst(targets, against, least) {
  return judged('the worst', { against, least }, lowest(figuresOf(targets, against)));
}
