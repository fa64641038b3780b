import { readList } from './dict.js';
import { ArrayInterfaceError } from './error.js';
import { show } from './show.js';

/** An axis of `rank`, a negative one counted from the end. Throws ERR_ARGUMENT. */
function readAxis(value: unknown, rank: number, path: string): number {
  if (Number.isInteger(value) && (value as number) >= -rank && (value as number) < rank) {
    const axis = value as number;
    return axis < 0 ? axis + rank : axis + 0;
  }
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    path,
    `expected an axis in ${-rank} .. ${rank - 1}, got ${show(value)}`,
  );
}

/** A list of different axes. Throws ERR_ARGUMENT. */
export function readAxes(values: unknown, rank: number, path: string): number[] {
  if (!Array.isArray(values)) {
    throw new ArrayInterfaceError(
      'ERR_ARGUMENT',
      path,
      `expected a list of axes, got ${show(values)}`,
    );
  }
  const axes: number[] = [];
  for (const [index, value] of readList(values, path, 'a list of axes').entries()) {
    const axis = readAxis(value, rank, `${path}[${index}]`);
    if (axes.includes(axis)) {
      throw new ArrayInterfaceError(
        'ERR_ARGUMENT',
        `${path}[${index}]`,
        `expected each axis once, got ${axis} twice`,
      );
    }
    axes.push(axis);
  }
  return axes;
}
