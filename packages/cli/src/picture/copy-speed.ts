import type { ArrayDescriptor } from '@array-interface/core';
import type { CopyExplanation, TileExplanation } from '@array-interface/host';

/** How a copy compares with another, and what that rests on. */
export interface CopySpeed {
  /** Speed with one memcpy of the larger side = 1. Compares layouts; predicts no time. */
  readonly estimate: number;
  /** What slows the copy down, or why nothing does. */
  readonly why: string;
}

/** Something that slows a copy down: the part of the speed that is left, and what it is. */
interface Brake {
  readonly factor: number;
  readonly why: string;
}

/** One side, and the bytes that have to be moved for it. */
interface Side {
  readonly array: ArrayDescriptor;
  /** Bytes of its elements; those that an axis repeats count once. */
  readonly bytes: number;
}

/** Bytes that memory hands over at once. */
const CACHE_LINE = 64;

/** How long a copy takes, by the least estimate for it. */
const TIMES: readonly (readonly [least: number, text: string])[] = [
  [0.6, 'Fast, about as long as one memcpy'],
  [0.42, 'About twice as long as one memcpy'],
  [0.2, 'Two to five times as long as one memcpy'],
  [0, 'Slow, at least four times as long as one memcpy'],
];

/** How long a copy of this estimate takes, in words. */
export function timeOf(estimate: number): string {
  return (TIMES.find(([least]) => estimate >= least) as (typeof TIMES)[0])[1];
}

/**
 * Estimates how fast the host copies arrays of 4 MiB or more. The factors come from the layouts
 * that the benchmarks `copying`, `random` and `threads` measure; a test compares the words with
 * their results.
 */
export function speedOf(
  destination: ArrayDescriptor,
  source: ArrayDescriptor,
  { way, tiles, unit }: CopyExplanation,
): CopySpeed {
  if (tiles === null) return { estimate: 1, why: 'it is one memcpy' };
  if (way === 'runs') return { estimate: 1, why: 'long runs are copied whole' };
  const [to, from] = [sideOf(destination), sideOf(source)];
  const brakes = [
    ...gaps(from, to.bytes, 'read from the source'),
    ...gaps(to, from.bytes, 'written to the destination'),
    ...loop(tiles, unit, from.bytes / Math.max(from.bytes, source.nbytes)),
    ...steps(tiles, destination, source),
  ];
  return {
    estimate: brakes.reduce((product, { factor }) => product * factor, 1),
    why: brakes.map((one) => one.why).join(', and ') || 'long rows are copied in order',
  };
}

function sideOf(array: ArrayDescriptor): Side {
  const { shape, byteStrides, itemsize } = array;
  const lengths = shape.filter((_, axis) => byteStrides[axis] !== 0);
  return { array, bytes: lengths.reduce((product, length) => product * length, itemsize) };
}

/** What gaps cost: cache lines are moved whole, and all that is read and written takes time. */
function gaps({ array, bytes }: Side, others: number, what: string): Brake[] {
  const [run, moved] = runOf(array);
  const factor = (bytes + others) / ((bytes * moved) / run + others);
  return factor > 0.9
    ? []
    : [{ factor, why: `only ${run} of every ${moved} bytes ${what} are used` }];
}

/** The bytes that lie together, and those that are moved for them. */
function runOf({ shape, byteStrides, itemsize }: ArrayDescriptor): readonly [number, number] {
  const axes = [...shape.keys()]
    .map((axis) => ({ length: shape[axis] as number, step: Math.abs(byteStrides[axis] as number) }))
    .filter(({ length, step }) => length > 1 && step > 0)
    .sort((a, b) => a.step - b.step);
  let run = itemsize;
  for (const { length, step } of axes) {
    if (step > run) return [run, Math.min(step, Math.ceil(run / CACHE_LINE) * CACHE_LINE)];
    run += (length - 1) * step;
  }
  return [run, run];
}

/** What the loop that reads a tile costs. `once` is the part of the elements that is read. */
function loop({ reading }: TileExplanation, unit: number, once: number): Brake[] {
  const { columns, length, loop: name } = reading;
  if (name === 'into pixels' || name === 'from pixels') {
    return [{ factor: 0.8, why: 'pixels and planes are exchanged' }];
  }
  if (columns > 0) {
    const why = 'the innermost axis of the source is not that of the destination';
    const factor = 1 / (1 + (unit < 4 ? 1.9 : unit < 8 ? 1 : 0.7) * once);
    return [{ factor, why }];
  }
  const bytes = length * unit;
  if (bytes >= 256) return [];
  const factor = 1 / (1 + (bytes < CACHE_LINE ? 3 : 1) * once);
  return factor > 0.8 ? [] : [{ factor, why: `rows have only ${bytes} bytes` }];
}

function steps(
  { steps: { converts, swapsSource, swapsDestination } }: TileExplanation,
  ...sides: readonly ArrayDescriptor[]
): Brake[] {
  const kinds = sides.map(({ dtype: { kind, itemsize } }) => `${kind}${itemsize}`);
  // every number goes by way of a float
  const isByHalves = kinds.includes('f2') && !kinds.includes('f4');
  const isSwapped = swapsSource > 0 || swapsDestination > 0;
  return [
    ...(converts ? [{ factor: isByHalves ? 0.6 : 0.75, why: 'numbers are converted' }] : []),
    ...(isSwapped ? [{ factor: 0.8, why: 'bytes are reversed' }] : []),
  ];
}
