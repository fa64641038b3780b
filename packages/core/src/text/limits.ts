import { type Checks, checkThat } from '../input/options.js';

/** How much of an array a text shows. */
export interface TextLimits {
  /** The most digits behind the point, 0 to 100. Default: 8. */
  readonly precision: number;
  /**
   * Arrays of more elements are shortened: `...` stands for those in the middle. Default: 1000;
   * Infinity shows all.
   */
  readonly threshold: number;
  /** How many elements are shown at both ends of each axis of a shortened array. Default: 3. */
  readonly edgeItems: number;
  /** Characters of a line. A longer row is wrapped. Default: 75. */
  readonly lineWidth: number;
}

/** Accepts a number of digits that the engine writes. */
const checkDigits = checkThat(
  (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 100,
  'an integer from 0 to 100',
);
/** Accepts a count of at least one; Infinity for no limit. */
const checkCount = checkThat(
  (value) =>
    value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && (value as number) > 0),
  'a positive integer, or Infinity',
);

/** Checks of the limits as options. */
export const LIMIT_CHECKS: Checks<TextLimits> = {
  precision: checkDigits,
  threshold: checkThat(
    (value) => typeof value === 'number' && value >= 0,
    'a number of elements; Infinity shows all',
  ),
  edgeItems: checkCount,
  lineWidth: checkCount,
};

/** NumPy's own. */
export const USUAL_LIMITS: TextLimits = {
  precision: 8,
  threshold: 1000,
  edgeItems: 3,
  lineWidth: 75,
};
