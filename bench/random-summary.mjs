import { geometricMean, judged } from './judge.mjs';

/**
 * Of the targets of single layouts those of all: how the mean of the ratios to `against` shall be, and
 * the worst of them.
 */
export function summary(targets, against, { mean, worst }) {
  const figures = targets.filter((one) => one.against === against).map(({ figure }) => figure);
  const lowest = figures.includes(null) ? null : Math.min(...figures);
  return [
    judged('geometric mean', { against, least: mean }, geometricMean(figures)),
    judged('the worst', { against, least: worst }, lowest),
  ];
}
