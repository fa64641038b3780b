import {
  FIRST,
  type FormArray,
  type FormParameter,
  lengthName,
  scalarName,
  TOTAL,
} from '../code/form.js';
import { type Program, type Register, registersOf } from '../program/instruction.js';

import type { Method } from './definition.js';
import type { Fast } from './tree.js';

/** A stride in elements that code is written for. Null: any, as a parameter. */
export type KnownStride = 0 | 1 | null;

/** An array that a reduction takes. */
export interface ReduceArray extends FormArray {
  /** Along the outer axes, then, of an input and of a scan's output, the inner ones. */
  readonly strides: readonly KnownStride[];
}

/** What the code of one launch of a reduction depends on. */
export interface ReduceForm {
  /** Makes the accumulators of one element. */
  readonly map: Program;
  /** Makes accumulators of two. Its inputs are those of the first, then those of the second. */
  readonly reduce: Program;
  /** Makes what is stored of accumulators. */
  readonly finish: Program;
  /** Whether an item combines a piece of a lane, and stores at its own index. */
  readonly isSplit: boolean;
  /** What the second, faster axis of the range is. */
  readonly fast: Fast;
  /** Whether an item has one lane, and whether it has one leaf of each of its lanes. */
  readonly hasOneLane: boolean;
  readonly hasOneLeaf: boolean;
  /**
   * Whether every element has an output: what was combined until then. An item then has all leaves,
   * or one leaf and the totals of all, dense inputs.
   */
  readonly isScan: boolean;
  /** What the host then does with one accumulator that `map` makes. */
  readonly method: Method | undefined;
  /** Whether indices need 64 bits. */
  readonly isLong: boolean;
  /** Number of axes of the outputs, at least 1. */
  readonly outer: number;
  /** Number of axes that are reduced, at least 1. */
  readonly inner: number;
  /** Which of the outer, then the inner axes each axis in the text is. */
  readonly axes: readonly number[];
  /** The input of `map` that is the index of the element in its tree, or -1. */
  readonly position: number;
  /** The outputs, then the inputs. */
  readonly arrays: readonly ReduceArray[];
  /** The types of the numbers of the three programs. */
  readonly scalars: readonly Register[];
}

/** The numbers of a tree and its pieces that code takes. */
export const TREE = {
  lanes: '$lanes',
  rows: '$rows',
  rest: '$rest',
  leafRows: '$leafRows',
  leaves: '$leaves',
  size: '$size',
  pieces: '$pieces',
  /** Where the outputs along the last axis are an axis of the range: how many others there are. */
  around: '$around',
  /** By how many bits a lane's number, reversed in five bits, is shifted. */
  shift: '$shift',
} as const;

/** Returns the type of indices. */
export function reduceIndexType({ isLong }: ReduceForm): 'uint32' | 'uint64' {
  return isLong ? 'uint64' : 'uint32';
}

/** Returns the axes whose lengths code needs: all but the first outer and the first inner one. */
export function reduceLengthAxes({ outer, inner, fast }: ReduceForm): number[] {
  const all = Array.from({ length: outer + inner }, (_, axis) => axis);
  const isColumns = fast === 'outputs' && outer === 1;
  return all.filter((axis) => (axis !== 0 || isColumns) && axis !== outer);
}

/** Returns the names of the numbers that code takes besides those of programs. */
export function reduceNumbers(form: ReduceForm): string[] {
  const tree = Object.values(TREE).filter((one) => one !== TREE.around || form.fast === 'outputs');
  return [FIRST, TOTAL, ...tree, ...reduceLengthAxes(form).map(lengthName)];
}

/** Returns what code takes, in order. */
export function reduceParameters(form: ReduceForm): FormParameter[] {
  const type = reduceIndexType(form);
  const number = (name: string, own: Register): FormParameter => ({
    kind: 'number',
    name,
    type: own,
  });
  return [
    ...reduceNumbers(form).map((name) => number(name, type)),
    ...form.arrays.flatMap((array): FormParameter[] => [
      { kind: 'pointer', array },
      ...(array.mode === 'strided'
        ? array.strides.map((_, axis) => ({ kind: 'stride' as const, array, axis }))
        : []),
    ]),
    ...form.scalars.map((own, index) => number(scalarName(index), own)),
  ];
}

/** Where the registers of each input of a program begin, among those of all. */
export function offsetsOf({ inputs }: Program): number[] {
  let next = 0;
  return inputs.map(({ type }) => {
    const own = next;
    next += registersOf(type).length;
    return own;
  });
}
