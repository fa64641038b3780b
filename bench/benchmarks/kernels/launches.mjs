import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineKernel } from '@array-interface/core/kernel';
import { blur } from '@array-interface/example-blur';
import { host } from '@array-interface/host';
import { sycl } from '@array-interface/sycl';
import { pythonPeers } from '../../peers/peers.mjs';
import { compare } from '../../runner/compare.mjs';
import { simulatedCuda } from '../../runner/simulated-cuda.mjs';
import { nanoseconds, perAwaitedCall } from '../../runner/stopwatch.mjs';

const CALLS = 5000;
/** Turns of CALLS before any is measured, so that Node has finished compiling. */
const WARMING = 5;

const [ptx, spirv] = ['ptx', 'spv'].map((kind) =>
  fileURLToPath(new URL(`../../kernels/axpy.${kind}`, import.meta.url)),
);

const axpy = defineKernel({
  name: 'axpy',
  parameters: {
    source: { read: 'float32' },
    target: { write: 'float32' },
    factor: 'float32',
    n: 'uint32',
  },
  code: { cuda: { ptx: readFileSync(ptx, 'utf8') }, sycl: { spirv: readFileSync(spirv) } },
});

/**
 * Nanoseconds per launch of one item, of many that are awaited one after another, until all have
 * ended.
 */
async function oursOn(backend) {
  const queue = backend.createQueue();
  const [target, source] = [backend.empty([1], 'float32'), backend.empty([1], 'float32')];
  for (const array of [target, source]) await backend.fill(array, 1);
  const grid = { range: [1], queue };
  const launch = () => backend.launch(axpy, grid, { source, target, factor: 0, n: 1 });
  const launchAll = () => perAwaitedCall(CALLS, launch, () => queue.synchronizeSync());
  for (let turn = 0; turn < WARMING; turn++) await launchAll();
  return launchAll;
}

const SIDE = 4096;

/** Nanoseconds of a blur by the library of `examples/blur`, until it has ended. */
async function blurOn(backend) {
  const image = await backend.array(Float32Array.from({ length: SIDE ** 2 }, Math.random), {
    shape: [SIDE, SIDE],
  });
  const act = async () => {
    const blurred = await blur(image, { sigma: 2, backend });
    await blurred.synchronize();
    blurred[Symbol.dispose]();
  };
  await act();
  return () => nanoseconds(act);
}

async function run() {
  const dpctl = pythonPeers('sycl_copying', 'sycl');
  const cudaCore = pythonPeers('cuda_copying', 'cuda');
  const works = [
    {
      name: 'SYCL',
      contenders: async () => ({
        ours: await oursOn(sycl),
        'dpctl submit': dpctl.contender({ calls: CALLS, spirv }),
      }),
      targets: [{ against: 'dpctl submit', most: 1.5 }],
    },
    {
      name: 'CUDA (simulated)',
      contenders: async () => ({
        ours: await oursOn(await simulatedCuda()),
        'cuda.core launch': cudaCore.contender({ calls: CALLS, ptx }),
      }),
      targets: [{ against: 'cuda.core launch', most: 3 }],
    },
    {
      name: 'SYCL: blur of 4096 x 4096 f4',
      contenders: async () => ({
        ours: await blurOn(sycl),
        'JavaScript loop': await blurOn(host),
      }),
      targets: [{ against: 'JavaScript loop', least: 5 }],
    },
  ];
  return compare(works, [dpctl, cudaCore]);
}

export default {
  what:
    '5,000 launches of a kernel of one item, one awaited after the other and all ended: the time of each. CUDA is the simulator, ' +
    'for ours and for cuda.core: no figure of a GPU. Then the Gaussian blur of `examples/blur` with a sigma of 2 (17 taps on each ' +
    'axis, summed in float64), by its kernel on the CPU and by its JavaScript.',
  plot: { field: 'nanoseconds', title: 'nanoseconds for one launch, or one blur (less is better)' },
  run,
};
