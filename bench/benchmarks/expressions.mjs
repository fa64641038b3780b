import { evaluate } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { randomSeed } from '@array-interface/random';
import { pythonPeers } from '../peers/peers.mjs';
import { compare } from '../runner/compare.mjs';
import { nanoseconds } from '../runner/stopwatch.mjs';
import { mean, worst } from '../runner/summary.mjs';

const SEED = randomSeed();
/** Of each type: expressions of arrays in a row, and of turned ones. */
const COUNTS = { row: 8, turned: 4 };
const SHAPES = { row: [2 ** 24], turned: [2048, 2048] };
const CLASSES = { float32: Float32Array, float64: Float64Array };

/** The least ratios to the peers. */
const NUMEXPR = { mean: 1.2, worst: 0.95 };
const NUMPY = { row: 3, turned: 1.5, worst: 0.9 };

/** Returns whole numbers below a limit, the same for the same seed. */
function numbers(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Returns an expression of so many operations, as numexpr and NumPy write it too. */
function drawn(below, operations) {
  if (operations === 0) return ['x', 'y', 'x', 'y', String(1 + below(9))][below(5)];
  const left = below(operations);
  const parts = () => [drawn(below, left), drawn(below, operations - 1 - left)];
  switch (below(8)) {
    case 0:
      return `sqrt(abs(${drawn(below, operations - 1)} * x))`;
    case 1: {
      const [a, b] = parts();
      return `where(x > y, ${a} + x, ${b})`;
    }
    default: {
      const [a, b] = parts();
      return `(${a} ${'+-*/+*'[below(6)]} ${b})`;
    }
  }
}

/** An expression with x and y, which all sides need. */
function expression(below) {
  for (;;) {
    const text = drawn(below, 1 + below(12));
    if (text.includes('x') && text.includes('y')) return text;
  }
}

async function operands(type, shape) {
  const count = shape.reduce((product, length) => product * length, 1);
  const values = (period) => CLASSES[type].from({ length: count }, (_, i) => (i % period) + 1);
  const x = await host.array(values(1000));
  const y = await host.array(values(777));
  const z = host.empty(shape, type);
  return { x: x.reshape(shape), y: y.reshape(shape.toReversed()).transpose(), z };
}

async function run() {
  const below = numbers(SEED);
  const peers = pythonPeers('expressions', 'numexpr');
  console.log(`  FAST_CHECK_SEED=${SEED} repeats these expressions`);
  const works = [];
  for (const type of Object.keys(CLASSES)) {
    for (const layout of Object.keys(SHAPES)) {
      const shape = SHAPES[layout];
      let made = null;
      for (let index = 0; index < COUNTS[layout]; index++) {
        const text = expression(below);
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
  const measured = await compare(works, [peers]);
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
    ],
  };
}

export default {
  what:
    'Random expressions of 1 to 12 operations on the host with one thread: of 16 Mi elements in a row, and of 2048 x 2048 elements of which one operand is turned. ' +
    'Ours and numexpr write into memory that is there, NumPy makes new memory at each operation, as one writes it.',
  plot: { field: 'speed', title: 'speed, NumPy = 1 (more is better)', against: 'NumPy' },
  run,
};
