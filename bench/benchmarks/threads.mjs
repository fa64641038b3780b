import { host } from '@array-interface/host';
import { compare } from '../compare.mjs';
import { descriptor, LARGEST, LAYOUTS } from '../layouts.mjs';
import { nanoseconds } from '../stopwatch.mjs';

const WORKS = [
  'contiguous f4',
  'transposed f4, 4096 x 4096',
  'channels last to first, u1',
  'channels last to first, u1 to f4',
  'f8 to f4',
];

async function run() {
  const blocks = [host.empty([LARGEST], 'uint8'), host.empty([LARGEST], 'uint8')];
  for (const block of blocks) await host.fill(block, 1);
  return compare(
    WORKS.map((name) => ({
      name,
      yardstick: '1 thread',
      contenders: async () => {
        const [to, from] = LAYOUTS[name].map((side, index) => descriptor(blocks[index], side));
        const on = (threads) => () =>
          nanoseconds(() => host.copy(to, from, { casting: 'unsafe', threads }));
        return { '1 thread': on(1), '2 threads': on(2), '4 threads': on(4) };
      },
    })),
  );
}

export default {
  what: 'How copies on the host scale with `threads`; the machine’s cores are said below.',
  plot: { field: 'speed', title: 'speed, one thread = 1 (more is better)' },
  run,
};
