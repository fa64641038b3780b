import { badArgument, readEntries } from './argument.js';

/** An axis of `rank`, a negative one counted from the end. Throws ERR_ARGUMENT. */
function readAxis(value: unknown, rank: number, path: string): number {
  if (Number.isInteger(value) && (value as number) >= -rank && (value as number) < rank) {
    const axis = value as number;
    return axis < 0 ? axis + rank : axis + 0;
  }
  throw badArgument(path, `an axis in ${-rank} .. ${rank - 1}`, value);
}

/** The argument `axes`: one axis or a list of different ones. Throws ERR_ARGUMENT. */
export function readAxes(value: unknown, rank: number): number[] {
  const entries = typeof value === 'number' ? [value] : value;
  const axes: number[] = [];
  for (const [index, entry] of readEntries(entries, 'axes', 'a list of axes').entries()) {
    const axis = readAxis(entry, rank, `axes[${index}]`);
    if (axes.includes(axis)) throw badArgument(`axes[${index}]`, 'each axis once', entry);
    axes.push(axis);
  }
  return axes;
}
