import { randomSeed } from '@array-interface/random';
import { hostCopies } from '../../copies/host.mjs';
import { bytesOf, LARGEST, LAYOUTS, writtenBytes } from '../../layouts/layouts.mjs';
import { LARGEST_SIDE, nameOf, randomLayouts } from '../../layouts/random.mjs';
import { compare } from '../../runner/compare.mjs';
import { judged, lowest } from '../../runner/judge.mjs';

const NAMES = [
  'contiguous f4',
  'transposed f4, 4096 x 4096',
  'channels last to first, u1',
  'channels last to first, u1 to f4',
  'f8 to f4',
];
const COUNT = 8;
const SEED = randomSeed();
const SLOW = 0.5;
const TARGET = { against: '1 thread', least: 1.8 };

/** Name, layout, and the bytes of memcpy, which are those of `copying` and of `random`. */
const WORKS = [
  ...NAMES.map((name) => [name, LAYOUTS[name], bytesOf(LAYOUTS[name])]),
  ...randomLayouts(SEED, COUNT).map((layout) => [nameOf(layout), layout, writtenBytes(layout)]),
];

/** The lowest speedup of two threads over one, if one is slow. */
function targetOfSlow({ rows, targets }) {
  const slow = rows.filter(({ who, speed }) => who === '1 thread' && speed < SLOW);
  const figures = slow.map(({ work }) => targets.find((one) => one.work === work).figure);
  return judged(`2 threads, where one is below ${SLOW} of memcpy`, TARGET, lowest(figures));
}

async function run() {
  const { memcpy, ours } = await hostCopies(Math.max(LARGEST, LARGEST_SIDE));
  console.log(`  FAST_CHECK_SEED=${SEED} repeats the random layouts`);
  const measured = await compare(
    WORKS.map(([name, layout, bytes]) => ({
      name,
      targets: [{ who: '2 threads', ...TARGET }],
      yardstick: 'memcpy',
      contenders: async () => ({
        memcpy: memcpy(bytes),
        '1 thread': ours(layout, { threads: 1 }),
        '2 threads': ours(layout, { threads: 2 }),
        '4 threads': ours(layout, { threads: 4 }),
      }),
    })),
  );
  return { ...measured, seed: SEED, targets: [targetOfSlow(measured)] };
}

export default {
  what:
    `How copies on the host scale with \`threads\`, of the table’s layouts and of ${COUNT} random ones; the machine’s cores are said ` +
    'below. memcpy has one thread. The target is for the layout that gains least.',
  plot: { field: 'speed', title: 'speed, memcpy = 1 (more is better)' },
  run,
};
