import { type DType, dtype, fromArrayInterface } from '@array-interface/core';
import type { Layout } from '../support/block.js';

/** One layout copied into another. Offsets and strides are in bytes. */
export interface CopyCase {
  readonly name: string;
  readonly to: Layout;
  readonly from: Layout;
}

/** A layout without its dtype. */
export type Short = readonly [
  offset: number,
  shape: readonly number[],
  byteStrides: readonly number[],
];

/** Records of 12 bytes: a float, a short and padding. */
const record: DType = fromArrayInterface({
  version: 3,
  typestr: '|V12',
  descr: [
    ['x', '<f4'],
    ['n', '<i2'],
    ['', '|V6'],
  ],
  shape: [0],
  data: [0n, false],
}).dtype;

/**
 * Every dtype that a copy may meet, from one byte to sixteen, and sizes that are no power of two.
 */
export const DTYPES: readonly DType[] = [
  ...['bool', 'int8', 'uint8', 'int16', 'uint16', 'float16', 'int32', 'uint32', 'float32'],
  ...['int64', 'uint64', 'float64', 'complex64', 'complex128', '<m8[s]', '<M8[ns]'],
  ...['>i2', '>f4', '>c16', '|S5', '<U2', '|V2', '|V3', '|V16', '|V24'],
]
  .map((name) => dtype(name))
  .concat(record);

/** The ways in which two layouts can differ, one by one. */
export const COPY_CASES: readonly CopyCase[] = [
  one('no axes', 'float64', [8, [], []], [16, [], []]),
  one('no elements', 'float32', [0, [3, 0, 2], [0, 8, 4]], [0, [3, 0, 2], [0, 8, 4]]),
  one('dense to dense', 'float32', [0, [2, 3], [12, 4]], [64, [2, 3], [12, 4]]),
  one('many dense bytes', 'uint8', [3, [40_001], [1]], [1, [40_001], [1]]),
  one('every third', 'int16', [0, [7], [2]], [4, [7], [6]]),
  one('into every third', 'int16', [4, [7], [6]], [0, [7], [2]]),
  one('reversed source', 'float32', [0, [9], [4]], [32, [9], [-4]]),
  one('reversed destination', 'float32', [32, [9], [-4]], [0, [9], [4]]),
  one('both reversed', 'complex128', [64, [5], [-16]], [64, [5], [-16]]),
  one('transposed', 'float64', [0, [3, 4], [32, 8]], [0, [3, 4], [8, 24]]),
  one('transposed, large', 'uint16', [0, [131, 67], [134, 2]], [0, [131, 67], [2, 262]]),
  one('permuted and padded', 'float32', [4, [2, 3, 4], [100, 32, 4]], [0, [2, 3, 4], [4, 8, 40]]),
  one('padded rows', 'uint8', [0, [5, 12], [16, 1]], [2, [5, 12], [14, 1]]),
  one('a row to all rows', 'int32', [0, [4, 3], [12, 4]], [8, [1, 3], [0, 4]]),
  one('missing axes', 'int64', [0, [2, 3, 4], [96, 32, 8]], [8, [4], [8]]),
  one('one element to all', 'uint8', [5, [3, 4], [7, 1]], [2, [], []]),
  one('a column repeated by stride 0', 'float32', [0, [3, 5], [20, 4]], [0, [3, 5], [4, 0]]),
  one('records of 3 bytes', '|V3', [1, [4, 5], [20, 4]], [0, [4, 5], [3, 12]]),
  one('records of 12 bytes', record, [4, [6], [16]], [60, [6], [-12]]),
  one(
    'strides that no element size divides',
    'float32',
    [1, [3, 3], [17, 5]],
    [2, [3, 3], [7, 23]],
  ),
  one('odd addresses', 'float64', [3, [6], [8]], [5, [6], [8]]),
  one('odd to even', 'complex128', [1, [3, 2], [32, 16]], [0, [3, 2], [16, 48]]),
  one('eight axes', 'uint8', [0, Array(8).fill(2), gaps(8, 1)], [1, Array(8).fill(2), gaps(8, 3)]),
  one('elements without bytes', '|V0', [0, [4], [0]], [0, [4], [0]]),
];

/** A strided and permuted copy for one dtype. */
export function copyCaseOf(type: DType): CopyCase {
  const { itemsize: n } = type;
  const to: Short = [n, [3, 4], [5 * n, n]];
  return one(type.typestr, type, to, [11 * n, [3, 4], [-n, -3 * n]]);
}

/** Strides that keep axes from merging: each axis leaves `gap` bytes unused. */
function gaps(rank: number, gap: number): number[] {
  const strides: number[] = [];
  let span = 1;
  for (let axis = 0; axis < rank; axis++) {
    strides.unshift(span + gap);
    span = 2 * (span + gap);
  }
  return strides;
}

function one(name: string, like: DType | string, to: Short, from: Short): CopyCase {
  return { name, to: layoutOf(to, like), from: layoutOf(from, like) };
}

export function layoutOf([offset, shape, byteStrides]: Short, like: DType | string): Layout {
  return { offset, shape, byteStrides, dtype: dtype(like) };
}
