import { cuda } from '@array-interface/cuda';
import { compare } from '../compare.mjs';
import { bytesOf, descriptor, LARGEST, LAYOUTS } from '../layouts.mjs';
import { startPeers } from '../python.mjs';
import { nanoseconds } from '../stopwatch.mjs';

const timesOthers = [
  { against: 'CuPy', least: 1 },
  { against: 'PyTorch', least: 1 },
];
const timesCupy = [{ against: 'CuPy', least: 1 }];
const TARGETS = {
  'contiguous f4': [{ against: 'memcpy', least: 0.95 }],
  'transposed f4, 4096 x 4096': [{ against: 'memcpy', least: 0.85 }, ...timesOthers],
  'transposed f4, 4032 x 4032': [{ against: 'memcpy', least: 0.85 }, ...timesOthers],
  'channels last to first, u1': timesOthers,
  'channels last to first, u1 to f4': timesOthers,
  'padded crop f4': timesCupy,
  'reversed on both axes f4': timesCupy,
  'one row broadcast f4': timesCupy,
  'f2 to f4': timesCupy,
  'f8 to f4': timesCupy,
  'big-endian f4 to native': timesCupy,
};

/** Null where a real driver has a device, else why there is none. */
function whyNoGpu() {
  const { availability } = cuda;
  if (!availability.available) return availability.reason;
  const [device] = cuda.devices();
  if (device === undefined) return 'the driver has no device';
  return /simulator/i.test(device.name) ? 'the driver is the simulator' : null;
}

async function run() {
  const reason = whyNoGpu();
  const peers = reason === null ? startPeers('cuda_copying', 'gpu') : null;
  let made = null;
  const make = async () => {
    const blocks = [cuda.empty([LARGEST], 'uint8'), cuda.empty([LARGEST], 'uint8')];
    for (const block of blocks) await cuda.fill(block, 1);
    return { blocks, queue: cuda.createQueue() };
  };
  const contendersOf = async (layout) => {
    if (peers === null) return {};
    made ??= await make();
    const { blocks, queue } = made;
    const [to, from] = layout.map((side, index) => descriptor(blocks[index], side));
    const copy = async () => {
      await cuda.copy(to, from, { queue, casting: 'unsafe' });
      queue.synchronizeSync();
    };
    return {
      memcpy: peers.contender({ memcpy: bytesOf(layout) }),
      ours: () => nanoseconds(copy),
    };
  };
  const measured = await compare(
    Object.entries(TARGETS).map(([name, targets]) => ({
      name,
      targets,
      yardstick: 'memcpy',
      contenders: () => contendersOf(LAYOUTS[name]),
    })),
  );
  peers?.end();
  measured.notRun.push(reason === null ? 'CuPy and PyTorch: no environment has them' : reason);
  measured.notRun.push(...(peers?.missing ?? []));
  return measured;
}

export default {
  what: 'Copies on a real GPU, beside the driver’s memcpy for the bytes of the larger side.',
  plot: { field: 'speed', title: 'speed, the driver’s memcpy = 1 (more is better)' },
  run,
};
