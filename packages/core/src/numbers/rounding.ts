import { type Check, checkOneOf } from '../input/options.js';

/**
 * How a float becomes an integer. `truncate`: its fraction is cut off, as NumPy and C do. `nearest`:
 * it becomes the nearest integer, and the even one of two that are equally near, as `np.rint` does.
 */
export type Rounding = 'truncate' | 'nearest';

/** Accepts the name of a way to make integers of floats. */
export const checkRounding: Check = /* @__PURE__ */ checkOneOf('truncate', 'nearest');

/** Returns the whole number that a float becomes. Infinities and NaN stay. */
export function wholeOf(value: number, rounding: Rounding | undefined): number {
  return rounding === 'nearest' ? roundToEven(value) : Math.trunc(value);
}

/** Returns the nearest whole number, the even one of two that are equally near. */
export function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
}
