import { host } from '@array-interface/host';
import { randomSeed } from '@array-interface/random';
import { compare } from '../compare.mjs';
import { descriptor } from '../layouts.mjs';
import { startPeers } from '../python.mjs';
import { LARGEST_SIDE, nameOf, randomLayouts } from '../random-layouts.mjs';
import { summary } from '../random-summary.mjs';
import { nanoseconds } from '../stopwatch.mjs';

const COUNT = 40;
const SEED = randomSeed();

async function run() {
  const peers = startPeers('random_copying', 'cuda');
  const blocks = [host.empty([LARGEST_SIDE], 'uint8'), host.empty([LARGEST_SIDE], 'uint8')];
  for (const block of blocks) await host.fill(block, 1);
  const plain = [new Uint8Array(LARGEST_SIDE).fill(1), new Uint8Array(LARGEST_SIDE).fill(2)];
  console.log(`  FAST_CHECK_SEED=${SEED} repeats these layouts`);
  const measured = await compare(
    randomLayouts(SEED, COUNT).map((layout) => ({
      name: nameOf(layout),
      targets: [{ against: 'NumPy', least: 0.9 }],
      yardstick: 'memcpy',
      contenders: async () => {
        const [to, from] = layout.map((side, index) => descriptor(blocks[index], side));
        const bytes = Number(to.size) * to.dtype.itemsize;
        return {
          memcpy: () => nanoseconds(() => plain[0].set(plain[1].subarray(0, bytes))),
          ours: () => nanoseconds(() => host.copy(to, from, { casting: 'unsafe' })),
          NumPy: peers.contender(layout),
        };
      },
    })),
  );
  peers.end();
  measured.seed = SEED;
  measured.targets = summary(measured.targets, 'NumPy', { mean: 2.5, worst: 0.9 });
  measured.notRun.push(...peers.missing);
  return measured;
}

export default {
  what:
    'Copies of random layouts on the host with one thread, beside memcpy of the bytes that are written and NumPy: 1 to 6 axes, 1 to ' +
    '32 million elements, in any order of axes; axes reversed, broadcast, padded, of every second element; a third with casts ' +
    'or another byte order. Those that are one memcpy are not drawn.',
  plot: { field: 'speed', title: 'speed, memcpy = 1 (more is better)', against: 'NumPy' },
  run,
};
