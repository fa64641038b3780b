import { type Conversion, NUMBER_TYPES, type NumberType } from '../numbers/conversion.js';
import type { CopyPlan } from './plan-copy.js';

/** A plan as the numbers that `ReadPlan` of `native/napi/plan.cpp` reads. */
export type EncodedPlan = Float64Array;

const CODES: ReadonlyMap<NumberType, number> = new Map(
  NUMBER_TYPES.map((type, code) => [type, code]),
);
const NO_CONVERSION = -1;

/** The places of `native/napi/plan.cpp`; both addresses come first. */
const UNIT = 2;
const RANK = 3;
const FROM = 4;
const TO = 5;
const FLAGS = 6;
const AXES = 7;
const MOST_AXES = 64;

/** The bits of `FLAGS`. */
const SWAPS_SOURCE = 1;
const SWAPS_DESTINATION = 2;
const ROUNDS = 4;

// One for all plans: an addon reads it before it returns, and making a new one for each copy would
// take longer than filling it.
const numbers = new Float64Array(AXES + 3 * MOST_AXES);
const addresses = new BigUint64Array(numbers.buffer, 0, UNIT);

/**
 * Returns a plan of `planCopy` as numbers for an addon, which takes ten times as long to read the
 * properties of an object. Pass them on at once: they are those of this plan until the next call.
 * Neither keep nor transfer them. The addon refuses the numbers of a plan of more than 64 axes.
 */
export function encodePlan(plan: CopyPlan): EncodedPlan {
  const { destination, source, unit, shape, destinationStrides, sourceStrides, conversion } = plan;
  const rank = shape.length;
  addresses[0] = destination;
  addresses[1] = source;
  numbers[UNIT] = unit;
  numbers[RANK] = rank;
  encodeConversion(conversion);
  for (let axis = 0; axis < rank && axis < MOST_AXES; axis++) {
    numbers[AXES + axis] = shape[axis] as number;
    numbers[AXES + rank + axis] = destinationStrides[axis] as number;
    numbers[AXES + 2 * rank + axis] = sourceStrides[axis] as number;
  }
  return numbers;
}

/** A type without a code becomes NaN, which the addon refuses. */
function encodeConversion(conversion: Conversion | null): void {
  if (conversion === null) {
    numbers[FROM] = NO_CONVERSION;
    return;
  }
  const { from, to, swapsSource, swapsDestination, rounds } = conversion;
  numbers[FROM] = CODES.get(from) as number;
  numbers[TO] = CODES.get(to) as number;
  numbers[FLAGS] =
    (swapsSource ? SWAPS_SOURCE : 0) |
    (swapsDestination ? SWAPS_DESTINATION : 0) |
    (rounds ? ROUNDS : 0);
}
