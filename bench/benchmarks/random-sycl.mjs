import { randomSeed } from '@array-interface/random';
import { sycl } from '@array-interface/sycl';
import { compare } from '../compare.mjs';
import { descriptor } from '../layouts.mjs';
import { startPeers } from '../python.mjs';
import { LARGEST_SIDE, nameOf, randomLayouts } from '../random-layouts.mjs';
import { summary } from '../random-summary.mjs';
import { nanoseconds } from '../stopwatch.mjs';

const COUNT = 40;
const SEED = randomSeed();
const MEMCPY = { mean: 0.4, worst: 0.15 };
const DPNP = { mean: 5, worst: 1 };

/** Device memory that was written, so that all its pages are there. */
async function block() {
  const bytes = sycl.empty([LARGEST_SIDE], 'uint8');
  await sycl.fill(bytes, 1);
  return bytes;
}

async function run() {
  const peers = startPeers('random_sycl_copying', 'sycl');
  const blocks = [await block(), await block()];
  const queue = sycl.createQueue();
  console.log(`  FAST_CHECK_SEED=${SEED} repeats these layouts`);
  const measured = await compare(
    randomLayouts(SEED, COUNT).map((layout) => ({
      name: nameOf(layout),
      targets: [
        { against: 'memcpy', least: MEMCPY.worst },
        { against: 'dpnp', least: DPNP.worst },
      ],
      yardstick: 'memcpy',
      contenders: async () => {
        const [to, from] = layout.map((side, index) => descriptor(blocks[index], side));
        const copy = async () => {
          await sycl.copy(to, from, { queue, casting: 'unsafe' });
          queue.synchronizeSync();
        };
        await copy();
        await sycl.kernelsBuilt();
        return {
          memcpy: peers.contender({ memcpy: Number(to.size) * to.dtype.itemsize }),
          ours: () => nanoseconds(copy),
          dpnp: peers.contender({ copy: layout }),
        };
      },
    })),
  );
  peers.end();
  measured.seed = SEED;
  measured.targets = [
    ...summary(measured.targets, 'memcpy', MEMCPY),
    ...summary(measured.targets, 'dpnp', DPNP),
  ];
  measured.notRun.push(...peers.missing);
  return measured;
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
