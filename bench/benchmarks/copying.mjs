import { host } from '@array-interface/host';
import { compare } from '../compare.mjs';
import { bytesOf, descriptor, LARGEST, LAYOUTS } from '../layouts.mjs';
import { startPeers } from '../python.mjs';
import { nanoseconds } from '../stopwatch.mjs';

const mixed = [
  { against: 'memcpy', least: 0.5 },
  { against: 'NumPy', least: 1 },
];
const TARGETS = {
  'contiguous f4': [{ against: 'memcpy', least: 0.95 }],
  'transposed f4, 4096 x 4096': [{ against: 'memcpy', least: 0.45 }],
  'transposed f4, 4032 x 4032': [{ against: 'memcpy', least: 0.45 }],
  'channels last to first, u1': [{ against: 'memcpy', least: 0.6 }],
  'channels last to first, u1 to f4': [{ against: 'NumPy', least: 5 }],
  'padded crop f4': mixed,
  'reversed on both axes f4': mixed,
  'one row broadcast f4': mixed,
  'f2 to f4': mixed,
  'f8 to f4': mixed,
  'big-endian f4 to native': mixed,
};

async function run() {
  const peers = startPeers('copying', 'cuda');
  const blocks = [host.empty([LARGEST], 'uint8'), host.empty([LARGEST], 'uint8')];
  for (const block of blocks) await host.fill(block, 1);
  const plain = [new Uint8Array(LARGEST).fill(1), new Uint8Array(LARGEST).fill(2)];
  const measured = await compare(
    Object.entries(TARGETS).map(([name, targets]) => ({
      name,
      targets,
      yardstick: 'memcpy',
      contenders: async () => {
        const layout = LAYOUTS[name];
        const [to, from] = layout.map((side, index) => descriptor(blocks[index], side));
        const bytes = bytesOf(layout);
        return {
          memcpy: () => nanoseconds(() => plain[0].set(plain[1].subarray(0, bytes))),
          ours: () => nanoseconds(() => host.copy(to, from, { casting: 'unsafe' })),
          NumPy: peers.contender(name),
        };
      },
    })),
  );
  peers.end();
  measured.notRun.push(...peers.missing);
  return measured;
}

export default {
  what: 'Copies on the host with one thread, beside memcpy of the bytes of the larger side and NumPy.',
  plot: { field: 'speed', title: 'speed, memcpy = 1 (more is better)' },
  run,
};
