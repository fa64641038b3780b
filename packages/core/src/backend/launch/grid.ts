import { mismatch } from '../../errors/mismatch.js';
import { showList } from '../../errors/show.js';
import { readLengths } from '../../kernel/lengths.js';
import type { Slot } from '../../kernel/signature.js';
import type { LaunchLimits } from '../interface/driver.js';

const START: readonly number[] = [0, 0, 0];
/** Maximum number of launches that a range is split into. */
const MOST_PIECES = 65536;

/** The checked range and group of a launch. */
export interface Grid {
  /** Items along each axis; the last axis is the fastest. */
  readonly range: readonly number[];
  /** Items of a group along each axis. Null: the backend chooses. */
  readonly group: readonly number[] | null;
}

/** The part of a range that one launch covers. */
export interface Piece {
  /** First index along each axis. */
  readonly begin: readonly number[];
  /** Items along each axis. */
  readonly range: readonly number[];
}

/** Reads the range and the group of a launch. Throws ERR_ARGUMENT, ERR_TYPE, ERR_OVERFLOW. */
export function readGrid(givenRange: unknown, givenGroup: unknown): Grid {
  const range = readLengths(givenRange, 'range', 0);
  if (givenGroup === undefined) return { range, group: null };
  const group = readLengths(givenGroup, 'group', 1);
  if (group.length === range.length) return { range, group };
  throw mismatch(
    'ERR_ARGUMENT',
    'group',
    `as many axes as the range has (${range.length})`,
    showList(group),
  );
}

/**
 * Splits a range into pieces that each fit one launch, in whole groups. Throws ERR_ARGUMENT for a
 * split along an axis whose first index the code does not take, ERR_OVERFLOW for too many pieces.
 */
export function cut(
  range: readonly number[],
  group: readonly number[],
  limits: LaunchLimits,
  slots: readonly Slot[],
): readonly Piece[] {
  if (fitsAtOnce(range, group, limits)) return [{ begin: START.slice(0, range.length), range }];
  const most = range.map((_, axis) => mostAlong(axis, range, group, limits));
  assertFew(range, most);
  let pieces: Piece[] = [{ begin: [], range: [] }];
  range.forEach((length, axis) => {
    const step = most[axis] as number;
    if (length > step) assertTakesFirst(slots, axis, length, step);
    pieces = pieces.flatMap(({ begin, range: items }) => {
      const starts = Array.from({ length: Math.ceil(length / step) }, (_, index) => index * step);
      return starts.map((start) => ({
        begin: [...begin, start],
        range: [...items, Math.min(step, length - start)],
      }));
    });
  });
  return pieces;
}

/** Whether one launch covers everything, which is almost always the case. */
function fitsAtOnce(
  range: readonly number[],
  group: readonly number[],
  { groups, items }: LaunchLimits,
): boolean {
  let all = 1;
  for (let axis = 0; axis < range.length; axis++) {
    const [length, size] = [range[axis] as number, group[axis] as number];
    if (length > (groups[range.length - 1 - axis] as number) * size) return false;
    all *= inGroups(length, size);
  }
  return all <= items;
}

/**
 * Returns the maximum number of items along an axis, with all items of the faster axes and one
 * group of the slower ones.
 */
function mostAlong(
  axis: number,
  range: readonly number[],
  group: readonly number[],
  { groups, items }: LaunchLimits,
): number {
  const size = group[axis] as number;
  const faster = range.reduce(
    (product, length, other) =>
      other > axis ? Math.min(items, product * inGroups(length, group[other] as number)) : product,
    1,
  );
  const slower = group.slice(0, axis).reduce((product, other) => product * other, 1);
  const byItems = Math.max(1, Math.floor(items / faster / slower / size)) * size;
  return Math.min((groups[range.length - 1 - axis] as number) * size, byItems);
}

function inGroups(length: number, size: number): number {
  return Math.ceil(length / size) * size;
}

function assertFew(range: readonly number[], most: readonly number[]): void {
  const pieces = range.reduce(
    (count, length, axis) => count * Math.ceil(length / (most[axis] as number)),
    1,
  );
  if (pieces <= MOST_PIECES) return;
  throw mismatch(
    'ERR_OVERFLOW',
    'range',
    `a range that fits into ${MOST_PIECES} launches`,
    `one that takes ${pieces} (${showList(range)})`,
    'use larger groups, or do more work per item',
  );
}

function assertTakesFirst(
  slots: readonly Slot[],
  axis: number,
  length: number,
  most: number,
): void {
  if (slots.some((slot) => slot.kind === 'first' && slot.axis === axis)) return;
  throw mismatch(
    'ERR_ARGUMENT',
    `range[${axis}]`,
    `at most ${most} items along axis ${axis} for code that does not take its first index`,
    length,
    `declare a parameter { first: ${axis} } and add it to the index, or use larger groups`,
  );
}

/** Maximum number of items of a group along each axis, the fastest first, as for CUDA's blocks. */
const MOST = [1024, 1024, 64];

/**
 * Returns a group of at most `items` for a range: as long as useful along the fastest axis, then
 * along the next. Lengths are powers of two, in the order of the range's axes.
 */
export function groupFor(range: readonly number[], items: number): number[] {
  const group = range.map(() => 1);
  let left = 2 ** Math.floor(Math.log2(items));
  for (let axis = range.length - 1; axis >= 0; axis--) {
    const most = Math.min(range[axis] as number, MOST[range.length - 1 - axis] as number);
    while (left > 1 && (group[axis] as number) < most) {
      group[axis] = (group[axis] as number) * 2;
      left /= 2;
    }
  }
  return group;
}
