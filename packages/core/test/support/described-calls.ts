import { whoCanRead } from '../../src/compatibility/index.js';
import { toDLPack } from '../../src/dlpack/index.js';
import * as core from '../../src/index.js';
import { canCast, resultType } from '../../src/numbers/index.js';
import { mayShareMemory, overlapsItself, sharesMemory } from '../../src/overlap/index.js';
import { serialize } from '../../src/serialize/index.js';

type Call = (array: core.DescribedArray) => unknown;

/** Every function of core that takes a descriptor, by the path of that argument. */
export const CALLS: Readonly<Record<string, readonly [path: string, call: Call]>> = {
  broadcastArrays: ['arrays[1]', (array) => core.broadcastArrays(row, array)],
  broadcastTo: ['array', (array) => core.broadcastTo(array, [5, 2, 3])],
  expandDims: ['array', (array) => core.expandDims(array, 0)],
  field: ['array', (array) => core.field(array, 'x')],
  flip: ['array', (array) => core.flip(array, 0)],
  makeDescriptor: ['mask', (array) => core.makeDescriptor({ ...masked, mask: array })],
  permuteDims: ['array', (array) => core.permuteDims(array, [1, 0])],
  reshape: ['array', (array) => core.reshape(array, [6])],
  slice: ['array', (array) => core.slice(array, [0])],
  squeeze: ['array', (array) => core.squeeze(array, [])],
  transpose: ['array', (array) => core.transpose(array)],
  view: ['array', (array) => core.view(array, 'uint8')],
  mayShareMemory: ['b', (array) => mayShareMemory(row, array)],
  sharesMemory: ['b', (array) => sharesMemory(row, array)],
  overlapsItself: ['array', (array) => overlapsItself(array)],
  whoCanRead: ['array', (array) => whoCanRead(array)],
  toCudaArrayInterface: ['array', (array) => core.toCudaArrayInterface(array)],
  toArrayInterface: ['array', (array) => core.toArrayInterface(array)],
  toSyclUsmArrayInterface: [
    'array',
    (array) => core.toSyclUsmArrayInterface(array, { syclobj: 'cpu' }),
  ],
  toDLPack: ['array', (array) => toDLPack(array, { device: { type: 1, id: 0 } })],
  serialize: ['array', (array) => serialize(array)],
  resultType: ['operands[1]', (array) => resultType('int8', array)],
  canCast: ['from', (array) => canCast(array, 'float64')],
};

export const row: core.ArrayDescriptor = core.makeDescriptor({
  pointer: 64n,
  shape: [3],
  dtype: 'float32',
});
const masked = { pointer: 64n, shape: [2, 3], dtype: 'float32' } as const;
/** A dtype that each of the functions accepts. */
export const dtypeFor = (name: string): core.DTypeLike => {
  if (name === 'field') return [['x', 'float32']];
  return name === 'makeDescriptor' ? 'bool' : 'float32';
};
