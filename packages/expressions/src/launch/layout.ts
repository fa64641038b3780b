import type { ArrayDescriptor } from '@array-interface/core';
import type { Operand, Target } from './operands.js';

/** What code depends on of an array, or of a number in its place. Keeps no memory alive. */
interface Layout extends Pick<ArrayDescriptor, 'shape' | 'byteStrides'> {
  /** The typestr of an array, or the type of a number. */
  readonly type: string;
  /** Whether code can read and write the elements where they are. */
  readonly isUsable: boolean;
}

/** What the code of a call depends on. */
export interface Layouts {
  /** The options of the call. */
  readonly options: string;
  readonly inputs: readonly Layout[];
  /** Of the outputs that are given, in the order of their names. */
  readonly outputs: readonly (Layout & { readonly name: string })[];
}

const NONE = { shape: [], byteStrides: [] as never, isUsable: true };

/** Returns what the code of a call depends on. */
export function layoutsOf(
  operands: readonly Operand[],
  given: readonly Target[],
  options: string,
): Layouts {
  const inputs = operands.map(({ array, scalar }) =>
    array === null ? { ...NONE, type: typeof scalar } : layoutOf(array),
  );
  const outputs = given.map(({ name, array }) => ({ name, ...layoutOf(array) }));
  return { options, inputs, outputs };
}

/** Returns whether calls with these layouts need the same code. */
export function areAlike(
  layouts: Layouts,
  operands: readonly Operand[],
  given: readonly Target[],
  options: string,
): boolean {
  const { inputs, outputs } = layouts;
  if (layouts.options !== options || outputs.length !== given.length) return false;
  for (let index = 0; index < inputs.length; index++) {
    const layout = inputs[index] as Layout;
    const { array, scalar } = operands[index] as Operand;
    if (array === null ? layout.type !== typeof scalar : !isLike(layout, array)) return false;
  }
  for (let index = 0; index < outputs.length; index++) {
    const layout = outputs[index] as Layouts['outputs'][number];
    const { name, array } = given[index] as Target;
    if (layout.name !== name || !isLike(layout, array)) return false;
  }
  return true;
}

/** Whether code can read and write the elements where they are. */
export function isUsable({ dtype, size, pointer, byteStrides }: ArrayDescriptor): boolean {
  const { itemsize, byteOrder, kind } = dtype;
  if (byteOrder === 'big') return false;
  if (size === 0) return true;
  for (let axis = 0; axis < byteStrides.length; axis++) {
    if ((byteStrides[axis] as number) % itemsize !== 0) return false;
  }
  // Alignments are powers of 2, at most 8.
  return Number(pointer & 7n) % (kind === 'c' ? itemsize / 2 : itemsize) === 0;
}

/** Returns whether two lists have the same numbers. */
export function isSameList(one: readonly number[], other: readonly number[]): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}

function layoutOf(array: ArrayDescriptor): Layout {
  const { dtype, shape, byteStrides } = array;
  return { type: dtype.typestr, shape, byteStrides, isUsable: isUsable(array) };
}

function isLike({ type, shape, byteStrides, isUsable: expected }: Layout, array: ArrayDescriptor) {
  return (
    type === array.dtype.typestr &&
    isSameList(shape, array.shape) &&
    isSameList(byteStrides, array.byteStrides) &&
    isUsable(array) === expected
  );
}
