import { expect, it } from 'vitest';
import {
  broadcastArrays,
  broadcastTo,
  expandDims,
  field,
  flip,
  fromProducer,
  makeDescriptor,
  permuteDims,
  reshape,
  slice,
  squeeze,
  transpose,
  view,
} from '../../src/index.js';
import { revoked, thrower } from '../support/hostile-values.js';
import { expectRefusal, refusal } from '../support/refusal.js';

const array = () => makeDescriptor({ pointer: 4096n, shape: [6, 4], dtype: 'float32' });
const of = (...shape: number[]) => makeDescriptor({ pointer: 64n, shape, dtype: 'bool' });

it.each([
  [() => flip(array(), 2), 'expected an axis in -2 .. 1, got 2'],
  [() => flip(array(), [0, -2]), 'expected each axis once, got -2'],
  [() => flip(array(), 'x' as never), 'expected a list of axes, got "x"'],
  [() => permuteDims(array(), [1]), 'expected all 2 axes, including those that stay, got 1'],
  [() => squeeze(array(), [-1]), 'expected an axis of length 1, got 1'],
  [() => reshape(array(), 24 as never), 'expected a list of dimensions, got 24'],
  [
    () => reshape(array(), [-2]),
    'expected a dimension of 0 or more, got -2; a reversed axis has a negative stride instead',
  ],
  [() => reshape(array(), [24], { order: 'K' as never }), `expected 'C' or 'F', got "K"`],
  [
    () => broadcastTo(array(), [-1, 4]),
    'expected a dimension of 0 or more, got -1; a reversed axis has a negative stride instead',
  ],
  [() => broadcastTo(array(), [4]), 'expected a shape that [6,4] broadcasts to, got [4]'],
  [() => broadcastArrays(of(2), of(3)), 'expected a shape that broadcasts with [2], got [3]'],
  [() => slice(array(), 7 as never), 'expected a list with a range for each axis, got 7'],
  [() => slice(array(), [0, 0, 0]), 'expected at most 2 ranges, got 3'],
  [() => slice(array(), [6]), 'expected an index in -6 .. 5, got 6'],
  [
    () => slice(array(), [[1] as never]),
    'expected null, an index or [start, stop, step], got an object',
  ],
  [() => slice(array(), [[0, 1, 0]]), 'expected a step other than 0, got 0'],
  [() => slice(array(), [[0, 0.5]]), 'expected an integer or null, got 0.5'],
  [() => field(array()), 'expected the name of a field, got nothing'],
  [() => field(array(), 'x'), 'expected a field of <f4 (it has none), got "x"'],
])('%o says what was expected', (make, reason) => {
  const error = refusal(make);
  expect(error.reason).toBe(reason);
  const codes = ['ERR_ARGUMENT', 'ERR_TYPE', 'ERR_NEGATIVE_DIMENSION', 'ERR_SHAPE_MISMATCH'];
  expect(codes).toContain(error.code);
});

it('every view requires a descriptor', () => {
  const views = [slice, permuteDims, transpose, flip, reshape, broadcastTo, broadcastArrays];
  for (const make of [...views, expandDims, squeeze, field, view]) {
    const path = make === broadcastArrays ? 'arrays[0]' : 'array';
    for (const value of [{ shape: [1] }, null, undefined, [1]]) {
      expectRefusal(() => (make as (value: unknown) => unknown)(value), 'ERR_TYPE', path);
    }
  }
});

it.each([flip, permuteDims, squeeze, expandDims, reshape, broadcastTo, slice])(
  '%o names a list that cannot be read',
  (make) => {
    const act = () => (make as (...values: unknown[]) => unknown)(array(), revoked.proxy);
    expectRefusal(act, 'ERR_TYPE');
  },
);

it('an option that cannot be read is named', () => {
  const options = (key: string) => Object.defineProperty({}, key, { get: thrower(1) }) as object;
  expectRefusal(() => reshape(array(), [24], options('order')), 'ERR_ARGUMENT', 'order');
  expectRefusal(() => reshape(array(), [24], null as never), 'ERR_ARGUMENT', 'options');
  expectRefusal(() => reshape(array(), [24], { odrer: 'C' } as never), 'ERR_ARGUMENT', 'odrer');
  expectRefusal(() => fromProducer({}, options('protocol')), 'ERR_ARGUMENT', 'protocol');
});

it.each([[['cuda']], [{ toString: () => 'cuda' }], [{ toString: thrower(1) }], [null]])(
  '%# is not a protocol',
  (protocol) => {
    const act = () => fromProducer({}, { protocol: protocol as never });
    expectRefusal(act, 'ERR_ARGUMENT', 'protocol');
  },
);

it('a shape of too many axes is not read', () => {
  expectRefusal(() => reshape(array(), new Array(2 ** 31)), 'ERR_RANK_MISMATCH', 'shape');
});
