import { geometricMean, judged, lowest } from './judge.mjs';

const figuresOf = (targets, against) =>
  targets.filter((one) => one.against === against).map(({ figure }) => figure);

/** Of the targets of single layouts that of all: how the mean of the ratios to `against` shall be. */
export function mean(targets, against, least) {
  const figure = geometricMean(figuresOf(targets, against));
  return judged('geometric mean', { against, least }, figure);
}

/** The same of the worst of them. */
export function worst(targets, against, least) {
  return judged('the worst', { against, least }, lowest(figuresOf(targets, against)));
}
