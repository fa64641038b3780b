import { dtype, makeDescriptor } from '@array-interface/core';
import {
  all,
  any,
  argmax,
  argmin,
  mean as average,
  countNonzero,
  cumulativeProd,
  cumulativeSum,
  logSumExp,
  max,
  min,
  prod,
  std,
  sum,
  variance,
} from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { randomSeed } from '@array-interface/random';
import { sycl } from '@array-interface/sycl';
import { descriptor } from '../../layouts/layouts.mjs';
import { LARGEST_SIDE } from '../../layouts/random.mjs';
import { lineOf, randomReductions } from '../../layouts/reductions.mjs';
import { pythonPeers } from '../../peers/peers.mjs';
import { compare } from '../../runner/compare.mjs';
import { nanoseconds, perAwaitedCall } from '../../runner/stopwatch.mjs';
import { mean, worst } from '../../runner/summary.mjs';

/** By the names of layouts/reductions.mjs. */
const FUNCTIONS = {
  all,
  any,
  argmax,
  argmin,
  countNonzero,
  cumulativeProd,
  cumulativeSum,
  logSumExp,
  max,
  mean: average,
  min,
  prod,
  std,
  sum,
  variance,
};
const SEED = randomSeed();
const COUNTS = { host: 40, sycl: 16 };
const PERIOD = 100;
/** Calls with each small array before what is measured. */
const WARM = 200;
/** The memory of a small array, which numbers are written to in whole periods. */
const SMALL_BYTES = 16 * PERIOD;
/** What is read in a turn, in one call or several: as much for each array. */
const BYTES = 2 ** 26;
/** What numexpr can do, along one axis or all. */
const NUMEXPR = { names: ['sum', 'prod', 'min', 'max'], types: ['<i4', '<i8', '<f4', '<f8'] };
/** Full sums, of so many bytes in a row. */
const WHOLE = { types: ['<i4', '<i8', '<f4', '<f8'], bytes: 2 ** 27 };

/** The least ratios. */
const NUMPY = { mean: 1.5, worst: 1 };
const DPNP = 1;
const READING = 0.8;

/** Writes the numbers 1 to PERIOD again and again, or zeros, to as many bytes as an array needs. */
async function write(backend, block, { type, shape, byteStrides, offset }, isOfZeros) {
  const size = dtype(type).itemsize;
  const reach = shape.map((length, axis) => (length - 1) * Math.max(0, byteStrides[axis]));
  const bytes = reach.reduce((sum, step) => sum + step, offset + size);
  const numbers = Float64Array.from({ length: PERIOD }, (_, i) => (isOfZeros ? 0 : i + 1));
  const period = await backend.array(numbers);
  const rows = Math.ceil(bytes / size / PERIOD);
  const byRow = { type, shape: [rows, PERIOD], byteStrides: [PERIOD * size, size], offset: 0 };
  const repeated = makeDescriptor({
    pointer: period.pointer,
    shape: [rows, PERIOD],
    byteStrides: [0, 8],
    dtype: 'float64',
    owner: period.memory,
  });
  await backend.copy(descriptor(block, byRow), repeated, { casting: 'unsafe' });
  period.dispose();
}

/** Returns a function that reduces an array of such numbers in a block, and lets go of the result. */
async function reducer(backend, block, { name, array, axes, isOfZeros }, options = {}) {
  await write(backend, block, array, isOfZeros);
  const x = descriptor(block, array);
  const axis = axes === null ? {} : { axis: axes.length === 1 ? axes[0] : axes };
  return async () => (await FUNCTIONS[name](backend, x, { ...axis, ...options })).dispose();
}

/** How many calls read so much. */
function callsOf({ type, shape }) {
  const bytes = shape.reduce((product, length) => product * length, dtype(type).itemsize);
  return Math.ceil(BYTES / bytes);
}

/** Calls functions until their code is compiled, with arrays of such types and axes that take no time. */
async function warm(backend, reductions) {
  const block = backend.empty([SMALL_BYTES], 'uint8');
  for (const { array, ...others } of reductions) {
    const shape = array.shape.map(() => 2);
    const { itemsize } = dtype(array.type);
    const byteStrides = shape.map((_, axis) => itemsize * 2 ** (shape.length - 1 - axis));
    const small = { ...array, shape, byteStrides, offset: 0 };
    const act = await reducer(backend, block, { ...others, array: small });
    for (let call = 0; call < WARM; call++) await act();
  }
  block.dispose();
}

function onHost(seed) {
  const peers = pythonPeers('reductions', 'numexpr');
  const numexpr = pythonPeers('reductions', 'numexpr'); // which ends at some layouts
  let block = null;
  const works = randomReductions(seed, COUNTS.host).map((one) => {
    const isNumexpr =
      NUMEXPR.names.includes(one.name) &&
      NUMEXPR.types.includes(one.array.type) &&
      (one.axes?.length ?? 1) === 1;
    return {
      name: `host: ${lineOf(one)}`,
      yardstick: 'NumPy',
      targets: [{ against: 'NumPy', least: NUMPY.worst }],
      contenders: async () => {
        block ??= host.empty([LARGEST_SIDE + 8 * PERIOD], 'uint8');
        const act = await reducer(host, block, one);
        const calls = callsOf(one.array);
        return {
          ours: () => perAwaitedCall(calls, act),
          ...(isNumexpr && { numexpr: numexpr.contender({ ...one, way: 'numexpr', calls }) }),
          NumPy: peers.contender({ ...one, way: 'NumPy', calls }),
        };
      },
    };
  });
  return { works, peers: [peers, numexpr] };
}

/** Full sums beside reading the memory. */
function wholeSums() {
  const reading = pythonPeers('random_limit', 'cuda', WHOLE.bytes);
  const works = WHOLE.types.map((type) => {
    const { itemsize } = dtype(type);
    const array = { type, shape: [WHOLE.bytes / itemsize], byteStrides: [itemsize], offset: 0 };
    return {
      name: `host: sum of ${WHOLE.bytes / 2 ** 20} MiB of ${dtype(type).name}`,
      yardstick: 'reading',
      targets: [{ against: 'reading', least: READING }],
      contenders: async () => {
        const block = host.empty([WHOLE.bytes + 8 * PERIOD], 'uint8');
        const act = await reducer(host, block, {
          name: 'sum',
          array,
          axes: null,
          isOfZeros: false,
        });
        return {
          ours: () => nanoseconds(act),
          reading: reading.contender([0, WHOLE.bytes, 1]),
        };
      },
    };
  });
  return { works, peers: [reading] };
}

function onSycl(seed) {
  const peers = pythonPeers('sycl_reductions', 'sycl');
  let block = null;
  const works = randomReductions(seed + 1, COUNTS.sycl).map((one) => ({
    name: `SYCL: ${lineOf(one)}`,
    yardstick: 'dpnp',
    targets: [{ against: 'dpnp', least: DPNP }],
    contenders: async () => {
      block ??= sycl.empty([LARGEST_SIDE + 8 * PERIOD], 'uint8');
      const queue = sycl.createQueue();
      const act = await reducer(sycl, block, one, { queue });
      const call = async () => {
        await act();
        queue.synchronizeSync();
      };
      await call();
      await sycl.whenKernelsReady();
      const calls = callsOf(one.array);
      return {
        ours: () => perAwaitedCall(calls, call),
        dpnp: peers.contender({ ...one, calls }),
      };
    },
  }));
  return { works, peers: [peers] };
}

async function run() {
  console.log(`  FAST_CHECK_SEED=${SEED} repeats these reductions`);
  await warm(host, randomReductions(SEED, COUNTS.host));
  const parts = [onHost(SEED), wholeSums(), onSycl(SEED)];
  const measured = await compare(
    parts.flatMap(({ works }) => works),
    parts.flatMap(({ peers }) => peers),
  );
  const of = (against) => measured.targets.filter((target) => target.against === against);
  return {
    ...measured,
    seed: SEED,
    targets: [
      mean(of('NumPy'), 'NumPy', NUMPY.mean),
      worst(of('NumPy'), 'NumPy', NUMPY.worst),
      ...of('reading'),
      mean(of('dpnp'), 'dpnp', DPNP),
      worst(of('dpnp'), 'dpnp', DPNP),
    ],
  };
}

export default {
  what:
    'Random reductions and scans of random arrays on the host with one thread: 1 to 4 axes, 1 to 32 million elements, reduced along all axes, one or several; axes in any order, reversed, broadcast, ' +
    'padded, of every second element. Each makes new memory for its result. numexpr has sums, products and extremes of some types along one axis or all. ' +
    'Then full sums beside reading the same bytes in a row, and reductions on a SYCL device beside dpnp.',
  plot: { field: 'speed', title: 'speed, NumPy = 1 (more is better)', against: 'NumPy' },
  run,
};
