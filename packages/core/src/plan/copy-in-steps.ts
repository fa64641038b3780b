import { sizeOf } from '../numbers/conversion.js';
import { convertNumbers } from '../numbers/convert-numbers.js';
import type { CopyPlan, CopyUnit } from './plan-copy.js';

/** Numbers that are converted at a time. Their bytes stay in a cache. */
const NUMBERS = 4096;

/**
 * Moves the bytes of a plan that converts nothing. A side that is an array counts from its first
 * byte; null: the plan has addresses.
 */
export type MoveBytes = (plan: CopyPlan, to: Uint8Array | null, from: Uint8Array | null) => void;

/**
 * Does a plan for a backend that moves bytes in any layout and converts nothing: numbers that
 * change are moved into JavaScript memory, converted there, and moved on, some thousand at a time.
 */
export function copyInSteps(
  plan: CopyPlan,
  to: Uint8Array | null,
  from: Uint8Array | null,
  move: MoveBytes,
): void {
  const { conversion } = plan;
  if (conversion === null) {
    move(plan, to, from);
    return;
  }
  const read = new Uint8Array(NUMBERS * sizeOf(conversion.from));
  const written = new Uint8Array(NUMBERS * plan.unit);
  for (const part of splitPlan(plan, NUMBERS)) {
    const dense = denseStrides(part.shape, plan.unit);
    const unit = sizeOf(conversion.from) as CopyUnit;
    const own = denseStrides(part.shape, unit);
    const nbytes = (part.nbytes / plan.unit) * unit;
    const toRead = { destination: 0n, destinationStrides: own };
    move({ ...part, ...toRead, unit, nbytes, conversion: null }, read, from);
    convertNumbers(written.subarray(0, part.nbytes), read, conversion);
    move({ ...part, conversion: null, source: 0n, sourceStrides: dense }, to, written);
  }
}

/** Splits a plan along its axes, in C order, into plans of at most `most` units. */
function* splitPlan(plan: CopyPlan, most: number): Generator<CopyPlan> {
  const units = plan.nbytes / plan.unit;
  const axis = plan.shape.findIndex((length) => length > 1);
  if (units <= most || axis < 0) {
    yield plan;
    return;
  }
  const length = plan.shape[axis] as number;
  const step = Math.max(1, Math.floor((most * length) / units));
  for (let start = 0; start < length; start += step) {
    const count = Math.min(step, length - start);
    const part: CopyPlan = {
      ...plan,
      destination: plan.destination + BigInt(start * (plan.destinationStrides[axis] as number)),
      source: plan.source + BigInt(start * (plan.sourceStrides[axis] as number)),
      shape: plan.shape.with(axis, count),
      nbytes: (plan.nbytes / length) * count,
    };
    yield* splitPlan(part, most);
  }
}

function denseStrides(shape: readonly number[], unit: number): readonly number[] {
  let stride = unit;
  return shape
    .toReversed()
    .map((length) => {
      const own = stride;
      stride *= length;
      return own;
    })
    .reverse();
}
