import { randomSeed } from '@array-interface/random';
import { syclCopies } from '../../copies/sycl.mjs';
import { writtenBytes } from '../../layouts/layouts.mjs';
import { LARGEST_SIDE, nameOf, randomLayouts } from '../../layouts/random.mjs';
import { compare } from '../../runner/compare.mjs';
import { mean, worst } from '../../runner/summary.mjs';

const COUNT = 40;
const SEED = randomSeed();
const MEMCPY = { mean: 0.4, worst: 0.15 };
const DPNP = { mean: 5, worst: 1 };

async function run() {
  const { peers, contenders } = syclCopies(LARGEST_SIDE);
  console.log(`  FAST_CHECK_SEED=${SEED} repeats these layouts`);
  const works = randomLayouts(SEED, COUNT).map((layout) => ({
    name: nameOf(layout),
    targets: [
      { against: 'memcpy', least: MEMCPY.worst },
      { against: 'dpnp', least: DPNP.worst },
    ],
    yardstick: 'memcpy',
    contenders: () => contenders(layout, writtenBytes(layout)),
  }));
  const measured = await compare(works, [peers]);
  const { targets } = measured;
  return {
    ...measured,
    seed: SEED,
    targets: [
      mean(targets, 'memcpy', MEMCPY.mean),
      worst(targets, 'memcpy', MEMCPY.worst),
      mean(targets, 'dpnp', DPNP.mean),
      worst(targets, 'dpnp', DPNP.worst),
    ],
  };
}

export default {
  what:
    'The random layouts on a SYCL device, beside the memcpy of dpctl’s queue for the bytes that are written, and dpnp. dpnp has no ' +
    'big-endian numbers: there it reverses the bytes of each number.',
  plot: {
    field: 'speed',
    title: 'speed, the queue’s memcpy = 1 (more is better)',
    against: 'dpnp',
  },
  run,
};
