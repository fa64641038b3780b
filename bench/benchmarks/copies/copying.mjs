import { hostCopies } from '../../copies/host.mjs';
import { bytesOf, LARGEST, LAYOUTS } from '../../layouts/layouts.mjs';
import { pythonPeers } from '../../peers/peers.mjs';
import { compare } from '../../runner/compare.mjs';

const mixed = [
  { against: 'memcpy', least: 0.5 },
  { against: 'NumPy', least: 1 },
];
const TARGETS = {
  'contiguous f4': [{ against: 'memcpy', least: 0.95 }],
  'transposed f4, 4096 x 4096': [{ against: 'memcpy', least: 0.45 }],
  'transposed f4, 4032 x 4032': [{ against: 'memcpy', least: 0.45 }],
  'channels last to first, u1': [{ against: 'memcpy', least: 0.8 }],
  'channels last to first, u1 to f4': [
    { against: 'memcpy', least: 0.8 },
    { against: 'NumPy', least: 5 },
  ],
  'padded crop f4': mixed,
  'reversed on both axes f4': mixed,
  'one row broadcast f4': mixed,
  'f2 to f4': mixed,
  'f8 to f4': mixed,
  'big-endian f4 to native': mixed,
};

async function run() {
  const peers = pythonPeers('numpy_copying', 'cuda', LARGEST);
  const { memcpy, ours } = await hostCopies(LARGEST);
  const works = Object.entries(TARGETS).map(([name, targets]) => ({
    name,
    targets,
    yardstick: 'memcpy',
    contenders: () => ({
      memcpy: memcpy(bytesOf(LAYOUTS[name])),
      ours: ours(LAYOUTS[name]),
      NumPy: peers.contender({ copy: LAYOUTS[name] }),
    }),
  }));
  return compare(works, [peers]);
}

export default {
  what: 'Copies on the host with one thread, beside memcpy of the bytes of the larger side and NumPy.',
  plot: { field: 'speed', title: 'speed, memcpy = 1 (more is better)' },
  run,
};
