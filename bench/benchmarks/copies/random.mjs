import { randomSeed } from '@array-interface/random';
import { hostCopies } from '../../copies/host.mjs';
import { readBytes, torchHas, writtenBytes } from '../../layouts/layouts.mjs';
import { LARGEST_SIDE, nameOf, randomLayouts } from '../../layouts/random.mjs';
import { pythonPeers } from '../../peers/peers.mjs';
import { compare } from '../../runner/compare.mjs';
import { mean, worst } from '../../runner/summary.mjs';

const COUNT = 200;
const SEED = randomSeed();
/** What is written in a turn, in one copy or several: as much for each layout. */
const BYTES = 2 ** 24;
const NUMPY = { mean: 2.7, worst: 1 };
/** Fraction of the time in which the bytes could be read and written sequentially. */
const LIMIT = 0.42;
const TORCH = 1.5;
/** Into existing memory, and into new memory. */
const [COPY, CONTIGUOUS] = ['PyTorch copy_()', 'PyTorch contiguous()'];

/** PyTorch's contenders for a layout. The second exists only if nothing is converted. */
function torchContenders(layout, torch, calls) {
  const [to, from] = layout;
  if (!torchHas(layout)) return {};
  const copy = { [COPY]: torch.contender({ copy: layout, calls }) };
  return to.type === from.type
    ? { ...copy, [CONTIGUOUS]: torch.contender({ contiguous: layout, calls }) }
    : copy;
}

async function run() {
  const peers = pythonPeers('numpy_copying', 'cuda', LARGEST_SIDE);
  const limit = pythonPeers('random_limit', 'cuda', LARGEST_SIDE);
  const torch = pythonPeers('torch_copying', 'torch', LARGEST_SIDE);
  const { memcpy, ours } = await hostCopies(LARGEST_SIDE);
  console.log(`  FAST_CHECK_SEED=${SEED} repeats these layouts`);
  const works = randomLayouts(SEED, COUNT).map((layout) => {
    const [written, read] = [writtenBytes(layout), readBytes(layout)];
    const calls = Math.ceil(BYTES / written);
    const ofTorch = torchContenders(layout, torch, calls);
    const targets = Object.keys(ofTorch).map((against) => ({ against, least: TORCH }));
    return {
      name: nameOf(layout),
      targets: [
        { against: 'NumPy', least: NUMPY.worst },
        { against: 'limit', least: LIMIT },
        ...targets,
      ],
      yardstick: 'memcpy',
      contenders: () => ({
        memcpy: memcpy(written, calls),
        ours: ours(layout, { calls }),
        NumPy: peers.contender({ copy: layout, calls }),
        limit: limit.contender([written, read, calls]),
        ...ofTorch,
      }),
    };
  });
  const measured = await compare(works, [peers, limit, torch]);
  const { targets, notRun } = measured;
  const without = (name) => COUNT - targets.filter(({ against }) => against === name).length;
  const lacks = 'as it has no uint16, no big-endian numbers and no negative strides';
  return {
    ...measured,
    seed: SEED,
    targets: [
      mean(targets, 'NumPy', NUMPY.mean),
      worst(targets, 'NumPy', NUMPY.worst),
      mean(targets, 'limit', LIMIT),
      mean(targets, COPY, TORCH),
      mean(targets, CONTIGUOUS, TORCH),
    ],
    notRun: [
      ...notRun,
      `${COPY}: ${without(COPY)} of the ${COUNT} layouts, ${lacks}`,
      `${CONTIGUOUS}: ${without(CONTIGUOUS)} of the ${COUNT}, as it also converts nothing`,
    ],
  };
}

export default {
  what:
    'Copies of random layouts on the host with one thread, beside memcpy of the bytes that are written, NumPy, PyTorch and the limit, which is to read and write as many bytes in a row: 1 to 6 axes, 1 to ' +
    '32 million elements, in any order of axes, small ones as often as writes 16 MiB; axes reversed, broadcast, padded, of every second element; a third with casts ' +
    'or another byte order. Those that are one memcpy are not drawn. PyTorch’s `copy_()` writes to memory that is there, as ours and NumPy ' +
    'do; its `permute(…).contiguous()` makes new memory, and converts nothing.',
  plot: { field: 'speed', title: 'speed, memcpy = 1 (more is better)', against: 'NumPy' },
  run,
};
