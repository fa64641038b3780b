import { sycl } from '@array-interface/sycl';
import { pythonPeers } from '../../peers/peers.mjs';
import { compare } from '../../runner/compare.mjs';
import { simulatedCuda } from '../../runner/simulated-cuda.mjs';
import { nanoseconds } from '../../runner/stopwatch.mjs';

const BYTES = 256 * 1024 * 1024;
const SIDES = ['CUDA memcpy to the host', 'SYCL memcpy from the host'];

/** The slower of a turn's two memcpys. */
function slower(turn) {
  if (SIDES.some((side) => turn[side] === undefined)) return {};
  const nanoseconds = Math.max(...SIDES.map((side) => turn[side].nanoseconds));
  return { 'slower memcpy': { nanoseconds } };
}

async function run() {
  const cudaCore = pythonPeers('cuda_copying', 'cuda');
  const dpctl = pythonPeers('sycl_copying', 'sycl');
  const from = (memoryKind) => ({
    name: `CUDA (simulated) ${memoryKind} memory to SYCL device memory`,
    yardstick: 'slower memcpy',
    derive: slower,
    targets: [{ against: 'slower memcpy', least: 0.8 }],
    contenders: async () => {
      const cuda = await simulatedCuda();
      const source = cuda.empty([BYTES], 'uint8', { memoryKind });
      const target = sycl.empty([BYTES], 'uint8');
      await cuda.fill(source, 1);
      await sycl.fill(target, 0);
      const copy = async () => {
        await sycl.copy(target, source);
        await sycl.synchronize();
      };
      return {
        ours: () => nanoseconds(copy),
        [SIDES[0]]: cudaCore.contender({ download: BYTES }),
        [SIDES[1]]: dpctl.contender({ upload: BYTES }),
      };
    },
  });
  return compare([from('device'), from('host')], [cudaCore, dpctl]);
}

export default {
  what:
    '256 MiB from CUDA to SYCL, beside each side’s own memcpy between its device and its pinned memory. CUDA is the ' +
    'simulator: no figure of a GPU.',
  plot: { field: 'speed', title: 'speed, the slower side’s memcpy = 1 (more is better)' },
  run,
};
