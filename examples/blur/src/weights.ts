/** Where a Gaussian is cut off, in standard deviations: SciPy's `truncate`. */
const REACH = 4;

/** The number of neighbours that contribute to an element, on either side of it. */
export function radiusOf(sigma: number): number {
  return Math.floor(REACH * sigma + 0.5);
}

/** The weights of an element and of its neighbours 1, 2, … away on either side. Their sum is 1. */
export function weightsOf(sigma: number): Float64Array<ArrayBuffer> {
  const half = Float64Array.from({ length: radiusOf(sigma) + 1 }, (_, away) =>
    Math.exp(-0.5 * (away / sigma) ** 2),
  );
  const sum = half.reduce((total, one, away) => total + (away === 0 ? one : 2 * one), 0);
  return half.map((one) => one / sum);
}
