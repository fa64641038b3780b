import {
  expandDims,
  flip,
  makeDescriptor,
  permuteDims,
  reshape,
  slice,
} from '@array-interface/core';
import { sharesMemory } from '@array-interface/core/overlap';
import { pythonPeers } from '../peers/peers.mjs';
import { compare } from '../runner/compare.mjs';
import { measure } from '../runner/measure.mjs';

const SECONDS = 0.25;

const array = makeDescriptor({ pointer: 0x7f0000001000n, shape: [4, 5, 6], dtype: 'float32' });
// neighbours along the last axis: their extents meet, their elements do not
const even = slice(array, [null, [1, null], [null, null, 2]]);
const odd = slice(array, [null, [1, null], [1, null, 2]]);

/** The same views that views.py takes, under the same names. */
const views = {
  'slice of one axis': () => slice(array, [[1, 3]]),
  'slice with steps': () =>
    slice(array, [
      [1, null],
      [null, null, 2],
    ]),
  'slice with negative steps': () => slice(array, [[null, null, -1], null, [-2, null, -2]]),
  'flip of one axis': () => flip(array, 1),
  'flip of all axes': () => flip(array),
  permuteDims: () => permuteDims(array, [2, 0, 1]),
  expandDims: () => expandDims(array, 1),
  reshape: () => reshape(array, [20, 6]),
};

const works = [
  ...Object.entries(views).map(([name, act]) => ({
    name,
    act,
    targets: [{ against: 'NumPy', most: 3 }],
  })),
  {
    name: 'sharesMemory of two strided views',
    act: () => sharesMemory(even, odd),
    targets: [{ most: 1500 }],
  },
];

async function run() {
  const peers = pythonPeers('views', 'sycl');
  const compared = works.map(({ name, act, targets }) => ({
    name,
    targets,
    contenders: () => ({
      ours: () => measure(act, { seconds: SECONDS }),
      NumPy: peers.contender({ name, seconds: SECONDS }),
    }),
  }));
  return compare(compared, [peers]);
}

export default {
  what:
    'Views of a 3-d array, every check on, beside NumPy’s own (`a[1:, ::2]`, `np.flip`, `np.transpose`), and the exact answer ' +
    'to whether two views share a byte beside `np.shares_memory`.',
  plot: { field: 'nanoseconds', title: 'nanoseconds for one call (less is better)' },
  run,
};
