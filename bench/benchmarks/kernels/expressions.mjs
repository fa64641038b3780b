import { defineKernel } from '@array-interface/core/kernel';
import { elementwise, evaluate, explainExpression } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { randomSeed } from '@array-interface/random';
import { sycl } from '@array-interface/sycl';
import { pythonPeers } from '../../peers/peers.mjs';
import { compare } from '../../runner/compare.mjs';
import { simulatedCuda } from '../../runner/simulated-cuda.mjs';
import { nanoseconds, perAwaitedCall } from '../../runner/stopwatch.mjs';
import { mean, worst } from '../../runner/summary.mjs';
import { DPNP, MEMCPY, textsOnSycl } from '../../texts/on-sycl.mjs';
import { randomTexts } from '../../texts/random.mjs';

const SEED = randomSeed();
/** Of each type: expressions of arrays in a row, and of turned ones. */
const COUNTS = { row: 8, turned: 4 };
const SHAPES = { row: [2 ** 24], turned: [2048, 2048] };
const MOST_OPERATIONS = 12;
const CLASSES = { float32: Float32Array, float64: Float64Array };

/**
 * Short calls: their elements, how many are timed together, and how many such batches are averaged.
 * `warm` batches before them are not counted: the first contender after another process would be
 * charged for cold caches.
 */
const SMALL = { count: 1024, calls: 100, batches: 20, warm: 5, text: '(x - y) * x + 1' };
const LAUNCH = 1.3;
/** The nanoseconds from a new text to the code of all backends. */
const CODE = 1e6;

/** The least ratios to the peers. */
const NUMEXPR = { mean: 1.2, worst: 0.95 };
const NUMPY = { row: 3, turned: 1.5, worst: 0.9 };

async function operands(type, shape) {
  const count = shape.reduce((product, length) => product * length, 1);
  const values = (period) => CLASSES[type].from({ length: count }, (_, i) => (i % period) + 1);
  const x = await host.array(values(1000));
  const y = await host.array(values(777));
  const z = host.empty(shape, type);
  return { x: x.reshape(shape), y: y.reshape(shape.toReversed()).transpose(), z };
}

/** Nanoseconds of one of many short calls, which are awaited; their work ends between the batches. */
function small(backend, act) {
  const { calls, batches, warm } = SMALL;
  return async () => {
    let sum = 0;
    for (let batch = -warm; batch < batches; batch++) {
      const spent = await perAwaitedCall(calls, act);
      await backend.synchronize();
      if (batch >= 0) sum += spent;
    }
    return sum / batches;
  };
}

/** An expression of a few elements, and a launch of the very kernel that it becomes. */
async function smallOn(backend) {
  const { count, text } = SMALL;
  const types = { x: 'float32', y: 'float32' };
  const { ptx, spirv, host: program } = explainExpression(text, types);
  const kernel = defineKernel({
    name: 'expression',
    parameters: {
      first: 'uint32',
      total: 'uint32',
      result: { write: 'float32' },
      x: { read: 'float32' },
      y: { read: 'float32' },
    },
    code: { cuda: { ptx }, sycl: { spirv }, host: { program } },
  });
  const compute = elementwise(
    'compute',
    { inputs: types, outputs: { z: 'float32' } },
    `z = ${text}`,
  );
  const [x, y] = [
    await backend.array(Float32Array.from({ length: count }, (_, i) => i)),
    await backend.array(new Float32Array(count).fill(2)),
  ];
  const z = backend.empty([count], 'float32');
  const launch = () =>
    backend.launch(kernel, { range: [count] }, { first: 0, total: count, result: z, x, y });
  const call = () => compute(backend, { x, y }, { out: { z } });
  await Promise.all([launch(), call()]);
  await backend.whenKernelsReady();
  return { ours: small(backend, call), launch: small(backend, launch) };
}

async function run() {
  const texts = randomTexts(SEED, MOST_OPERATIONS);
  const peers = pythonPeers('expressions', 'numexpr');
  console.log(`  FAST_CHECK_SEED=${SEED} repeats these expressions`);
  const works = [];
  for (const type of Object.keys(CLASSES)) {
    for (const layout of Object.keys(SHAPES)) {
      const shape = SHAPES[layout];
      let made = null;
      for (let index = 0; index < COUNTS[layout]; index++) {
        const text = texts();
        const peer = (way) => peers.contender({ text, type, shape, way });
        works.push({
          name: `${type}, ${layout}: ${text}`,
          layout,
          yardstick: 'NumPy',
          targets: [
            ...(layout === 'row' ? [{ against: 'numexpr', least: NUMEXPR.worst }] : []),
            { against: 'NumPy', least: NUMPY.worst },
          ],
          contenders: async () => {
            made ??= operands(type, shape);
            const { x, y, z } = await made;
            return {
              ours: () => nanoseconds(() => evaluate(host, text, { x, y }, { out: z })),
              numexpr: peer('numexpr'),
              NumPy: peer('NumPy'),
            };
          },
        });
      }
    }
  }
  const peer = (way) =>
    peers.contender({
      text: SMALL.text,
      type: 'float32',
      shape: [SMALL.count],
      calls: 10_000,
      way,
    });
  const backends = [
    ['host', () => host],
    ['SYCL', () => sycl],
    ['CUDA (simulated)', simulatedCuda],
  ];
  for (const [name, load] of backends) {
    works.push({
      name: `${name}: ${SMALL.count} elements of float32: ${SMALL.text}`,
      yardstick: 'launch',
      targets: [{ against: 'launch', most: LAUNCH }],
      contenders: async () => ({
        ...(await smallOn(await load())),
        ...(name === 'host' && { numexpr: peer('numexpr'), NumPy: peer('NumPy') }),
      }),
    });
  }
  works.push({
    name: 'from a new text to its code',
    targets: [{ most: CODE }],
    contenders: () => ({
      ours: () => nanoseconds(() => explainExpression(texts(), { x: 'float32', y: 'float64' })),
    }),
  });
  const onSycl = textsOnSycl(SEED);
  works.push(...onSycl.works);
  const measured = await compare(works, [peers, ...onSycl.peers]);
  const short = measured.targets.filter(
    ({ against }) => against === 'launch' || against === undefined,
  );
  const of = (layout) => {
    const names = works.filter((work) => work.layout === layout).map(({ name }) => name);
    return measured.targets.filter(({ work }) => names.includes(work));
  };
  return {
    ...measured,
    seed: SEED,
    targets: [
      mean(of('row'), 'numexpr', NUMEXPR.mean),
      worst(of('row'), 'numexpr', NUMEXPR.worst),
      mean(of('row'), 'NumPy', NUMPY.row),
      mean(of('turned'), 'NumPy', NUMPY.turned),
      worst(of('turned'), 'NumPy', NUMPY.worst),
      mean(of('sycl'), 'memcpy', MEMCPY),
      worst(of('sycl'), 'memcpy', MEMCPY),
      mean(of('sycl'), 'dpnp', DPNP),
      worst(of('sycl'), 'dpnp', DPNP),
      ...short,
    ],
  };
}

export default {
  what:
    'Random expressions of 1 to 12 operations on the host with one thread: of 16 Mi elements in a row, and of 2048 x 2048 elements of which one operand is turned. ' +
    'Ours and numexpr write into memory that is there, NumPy makes new memory at each operation, as one writes it. ' +
    'Then calls of 1 Ki elements, each awaited, beside launches of the kernel that the expression becomes; without the time until the work has ended; and the code of new texts for all three backends. ' +
    'Last, texts of 1 to 4 operations on a SYCL device, into memory that is there, beside the memcpy of the same queue for as many bytes as they read ' +
    'and write, and dpnp.',
  plot: { field: 'speed', title: 'speed, NumPy = 1 (more is better)', against: 'NumPy' },
  run,
};
