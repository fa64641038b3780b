import { type Conversion, NUMBER_TYPES } from '../numbers/conversion.js';
import type { CopyPlan } from './plan-copy.js';

/** A plan as the numbers that `ReadPlan` of `native/napi/plan.cpp` reads. */
export type EncodedPlan = Float64Array;

const NO_CONVERSION = -1;

/** The places of `native/napi/plan.cpp`; both addresses come first. */
const UNIT = 2;
const RANK = 3;
const FROM = 4;
const TO = 5;
const FLAGS = 6;
const AXES = 7;
const MOST_AXES = 64;

// One for all plans: an addon reads it before it returns, and a new one for each copy would take
// longer than to fill it.
const numbers = new Float64Array(AXES + 3 * MOST_AXES);
const addresses = new BigUint64Array(numbers.buffer, 0, UNIT);

/**
 * Returns a plan as numbers, since an addon takes ten times as long to read the properties of an
 * object. The numbers are those of this plan until the next call. `ReadPlan` refuses what is no
 * plan, such as one of more than 64 axes.
 */
export function encodePlan(plan: CopyPlan): EncodedPlan {
  const { shape, destinationStrides, sourceStrides, conversion } = plan;
  const rank = shape.length;
  addresses[0] = plan.destination;
  addresses[1] = plan.source;
  numbers[UNIT] = plan.unit;
  numbers[RANK] = rank;
  numbers[FROM] = conversion === null ? NO_CONVERSION : NUMBER_TYPES.indexOf(conversion.from);
  numbers[TO] = conversion === null ? NO_CONVERSION : NUMBER_TYPES.indexOf(conversion.to);
  numbers[FLAGS] = conversion === null ? 0 : flagsOf(conversion);
  for (let axis = 0; axis < rank; axis++) {
    numbers[AXES + axis] = shape[axis] as number;
    numbers[AXES + rank + axis] = destinationStrides[axis] as number;
    numbers[AXES + 2 * rank + axis] = sourceStrides[axis] as number;
  }
  return numbers;
}

function flagsOf({ swapsSource, swapsDestination, rounds }: Conversion): number {
  return (swapsSource ? 1 : 0) + (swapsDestination ? 2 : 0) + (rounds ? 4 : 0);
}
