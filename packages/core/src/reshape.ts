import { badArgument, readOption } from './argument.js';
import { type ArrayDescriptor, assertArrayDescriptor } from './descriptor.js';
import { ArrayInterfaceError } from './error.js';
import { sizeOf } from './layout.js';
import { readLengths } from './lengths.js';
import { makeView } from './make-view.js';
import { showList } from './show.js';
import { contiguousByteStrides } from './strides.js';
import { viewMask } from './view-mask.js';

/** In which order `reshape` counts the elements. */
export interface ReshapeOptions {
  /** Which index changes fastest where elements are counted: the last (default) or the first. */
  readonly order?: 'C' | 'F';
}

/** Axes that merge into one, walked from the last to the first. */
interface Run {
  length: number;
  readonly stride: number;
  readonly last: number;
  first: number;
}

/**
 * A view of the same elements in another shape, of which one length may be -1: what is left. There
 * is one exactly where NumPy finds one. Array API standard `reshape` with `copy=False`. Never
 * copies. Throws ERR_TYPE, ERR_ARGUMENT, ERR_RANK_MISMATCH, ERR_MASK, and ERR_NOT_A_VIEW, which
 * says which axes do not merge.
 */
export function reshape(
  array: ArrayDescriptor,
  shape: readonly number[],
  options: ReshapeOptions = {},
): ArrayDescriptor {
  assertArrayDescriptor(array, 'array');
  const order = readOption(options, 'order', 'C');
  if (order !== 'C' && order !== 'F') throw badArgument('order', "'C' or 'F'", order);
  const target = readTarget(shape, array.size);
  return makeView(
    array,
    { shape: target, byteStrides: stridesFor(array, target, order === 'F') },
    viewMask(array, (mask) => reshape(mask, target, { order })),
  );
}

function readTarget(value: unknown, size: number): number[] {
  const shape = readLengths(value, -1);
  const unknown = shape.indexOf(-1);
  const known = sizeOf(shape.filter((length) => length !== -1));
  if (unknown !== shape.lastIndexOf(-1)) {
    throw badArgument('shape', 'at most one -1', shape, showList(shape));
  }
  if (unknown === -1 ? known !== size : size % known !== 0) {
    throw badArgument('shape', `a shape of ${size} elements`, shape, showList(shape));
  }
  return shape.map((length) => (length === -1 ? size / known : length));
}

/** Each new axis takes a part of one run; the order F is C with all axes in reverse. */
function stridesFor(array: ArrayDescriptor, shape: readonly number[], reverse: boolean): number[] {
  if (array.size === 0) return [...contiguousByteStrides(shape, array.itemsize)];
  const runs = runsOf(array, reverse);
  let run = runs.shift() as Run;
  let taken = 1;
  const strides: number[] = [];
  for (const length of reverse ? shape : [...shape].reverse()) {
    if (length > 1 && taken === run.length) {
      run = runs.shift() as Run;
      taken = 1;
    }
    const stride = run.stride * taken;
    strides.push(Number.isSafeInteger(stride) ? stride : 0); // else the axis has length 1
    taken *= length;
    if (run.length % taken !== 0) throw notAView(array, run.first, (runs[0] as Run).last);
  }
  return reverse ? strides : strides.reverse();
}

/** Neighbours merge where a step of the outer is as long as the whole inner axis. */
function runsOf(array: ArrayDescriptor, reverse: boolean): Run[] {
  const axes = [...array.shape.keys()];
  const runs: Run[] = [];
  for (const axis of reverse ? axes : axes.reverse()) {
    const length = array.shape[axis] as number;
    const stride = array.byteStrides[axis] as number;
    const inner = runs.at(-1);
    if (length === 1) continue;
    if (inner === undefined || stride !== inner.length * inner.stride) {
      runs.push({ length, stride, first: axis, last: axis });
    } else {
      inner.length *= length;
      inner.first = axis;
    }
  }
  return runs.length > 0 ? runs : [{ length: 1, stride: array.itemsize, first: 0, last: 0 }];
}

function notAView(array: ArrayDescriptor, ...axes: number[]): ArrayInterfaceError {
  const [outer, inner] = axes.sort((a, b) => a - b);
  return new ArrayInterfaceError(
    'ERR_NOT_A_VIEW',
    'shape',
    `expected a shape that keeps axes ${outer} and ${inner} of ${showList(array.shape)} apart, which do not ` +
      `merge, got one across them at byte strides ${showList(array.byteStrides)}; copy the array first`,
  );
}
