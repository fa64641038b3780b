import { badArgument, readEntries } from './argument.js';
import { assertRank } from './check-layout.js';

/** An axis of `rank`, a negative one counted from the end. Throws ERR_ARGUMENT. */
function readAxis(value: unknown, rank: number, path: string): number {
  if (Number.isInteger(value) && (value as number) >= -rank && (value as number) < rank) {
    const axis = value as number;
    return axis < 0 ? axis + rank : axis + 0;
  }
  throw badArgument(path, `an axis in ${-rank} .. ${rank - 1}`, value);
}

/** The argument `axes`: one axis or a list of them, not yet known to be any. Throws ERR_ARGUMENT. */
export function readAxisList(value: unknown): unknown[] {
  if (typeof value === 'number') return [value];
  return readEntries(value, 'axes', 'a list of axes', (count) => assertRank(count, 'axes'));
}

/** The different axes of `rank` that a list names. Throws ERR_ARGUMENT. */
export function toAxes(entries: readonly unknown[], rank: number): number[] {
  const axes: number[] = [];
  for (const [index, entry] of entries.entries()) {
    const axis = readAxis(entry, rank, `axes[${index}]`);
    if (axes.includes(axis)) throw badArgument(`axes[${index}]`, 'each axis once', entry);
    axes.push(axis);
  }
  return axes;
}

/** The argument `axes`: one axis or a list of different ones. Throws ERR_ARGUMENT, ERR_RANK_MISMATCH. */
export function readAxes(value: unknown, rank: number): number[] {
  return toAxes(readAxisList(value), rank);
}
