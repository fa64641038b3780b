import type { ArrayDescriptor } from '@array-interface/core';
import {
  type Casting,
  type Checks,
  checkCasting,
  checkCopy,
  encodePlan,
  planCopy,
  unchecked,
} from '@array-interface/core/backend';
import { addon } from '../addon.js';
import type { AxisExplanation, CopyExplanation, NativeAxis } from '../copy-explanation.js';
import { HostQueue } from '../order/queue.js';

/** Options of `host.explainCopy`. */
export interface ExplainOptions {
  /** Which conversions are allowed. Default: `same_kind`. */
  readonly casting?: Casting;
  /** Maximum number of threads for the copy, 1 to 1024. Default: 1. */
  readonly threads?: number;
}

/** How `explainCopy` reads its options. */
export const EXPLAIN_OPTIONS: Checks<ExplainOptions> = {
  casting: checkCasting,
  threads: unchecked,
};

/** Describes how a copy would run. Throws as the copy itself does. */
export function explainCopy(
  destination: ArrayDescriptor,
  source: ArrayDescriptor,
  options: ExplainOptions,
): CopyExplanation {
  const queue = new HostQueue(options.threads);
  checkCopy(destination, source, options.casting);
  if (destination.nbytes === 0) return NOTHING;
  const found = addon().explain(encodePlan(planCopy(destination, source)), queue.threads);
  return {
    ...found,
    inUnit: axesOf(destination, (step) => step < found.unit),
    tiles: found.tiles && { ...found.tiles, axes: named(found.tiles.axes, destination) },
  };
}

const NOTHING: CopyExplanation = {
  way: 'nothing',
  unit: 1,
  sourceUnit: 1,
  inUnit: [],
  pieces: 0,
  pieceBytes: 0,
  tiles: null,
};

/**
 * Adds to each merged axis the axes of the shape that merged into it. Their steps in the
 * destination decide: an axis of the shape belongs to the merged axis with the longest step that is
 * not longer than its own.
 */
function named(axes: readonly NativeAxis[], destination: ArrayDescriptor): AxisExplanation[] {
  return axes.map((axis, index) => {
    const from = axis.destinationStride;
    const end = axes[index - 1]?.destinationStride ?? Number.POSITIVE_INFINITY;
    const isInnermost = index === axes.length - 1;
    const isPart = (step: number, length: number) =>
      step < end && (step >= from || (isInnermost && step * length > from));
    return { ...axis, of: axesOf(destination, isPart) };
  });
}

/**
 * The axes of a shape whose steps `isOne` accepts, forward or backward. Axes of length 1 have no
 * steps.
 */
function axesOf(
  { shape, byteStrides }: ArrayDescriptor,
  isOne: (step: number, length: number) => boolean,
): number[] {
  return [...shape.keys()].filter((axis) => {
    const length = shape[axis] as number;
    return length > 1 && isOne(Math.abs(byteStrides[axis] as number), length);
  });
}
