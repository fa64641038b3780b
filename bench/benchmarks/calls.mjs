import { setTimeout } from 'node:timers/promises';
import { host } from '@array-interface/host';
import { sycl } from '@array-interface/sycl';
import { pythonPeers } from '../peers/peers.mjs';
import { compare } from '../runner/compare.mjs';
import { simulatedCuda } from '../runner/simulated-cuda.mjs';
import { nanoseconds, perAwaitedCall, perCall } from '../runner/stopwatch.mjs';

const CALLS = 10_000;
const BYTES = 1024;
/** Turns of CALLS before any is measured, so that Node has finished compiling. */
const WARMING = 10;
/** Milliseconds without work, in which code and data leave the caches. */
const PAUSE = 20;
const BYTE_LAYOUT = { type: '|u1', shape: [BYTES], byteStrides: [1], offset: 0 };

/** Nanoseconds per copy, of many that are awaited one after another, until all have ended. */
async function oursOn(backend, queue) {
  const [to, from] = [backend.empty([BYTES], 'uint8'), backend.empty([BYTES], 'uint8')];
  for (const array of [to, from]) await backend.fill(array, 1);
  const options = queue === undefined ? {} : { queue };
  const copy = () => backend.copy(to, from, options);
  const copyAll = () => perAwaitedCall(CALLS, copy, () => queue?.synchronizeSync());
  for (let turn = 0; turn < WARMING; turn++) await copyAll();
  return copyAll;
}

/** The time of one copy on the host, after a pause. */
async function oursAfterPause() {
  const [to, from] = [host.empty([BYTES], 'uint8'), host.empty([BYTES], 'uint8')];
  await host.fill(from, 1);
  return async () => {
    await setTimeout(PAUSE);
    return nanoseconds(() => host.copy(to, from));
  };
}

/** The time of one copy of NumPy's, whose process waits for as long. */
function numpyAfterPause(numpy) {
  const copy = numpy.contender({ copy: [BYTE_LAYOUT, BYTE_LAYOUT] });
  if (copy === null) return null;
  return async () => {
    await setTimeout(PAUSE);
    return copy();
  };
}

/** The time of JavaScript's own memcpy, called as often. */
function memcpy() {
  const [to, from] = [new Uint8Array(BYTES), new Uint8Array(BYTES)];
  return () => perCall(CALLS, () => to.set(from));
}

async function run() {
  const dpctl = pythonPeers('sycl_copying', 'sycl');
  const cudaCore = pythonPeers('cuda_copying', 'cuda');
  const numpy = pythonPeers('numpy_copying', 'cuda', BYTES);
  const method = (name) => dpctl.contender({ calls: CALLS, method: name });
  const works = [
    {
      name: 'host',
      contenders: async () => ({ ours: await oursOn(host), memcpy: memcpy() }),
      targets: [{ most: 1000 }],
    },
    {
      name: `host, one copy after ${PAUSE} ms`,
      contenders: async () => ({
        ours: await oursAfterPause(),
        NumPy: numpyAfterPause(numpy),
      }),
    },
    {
      name: 'SYCL',
      contenders: async () => ({
        ours: await oursOn(sycl, sycl.createQueue()),
        'dpctl memcpy': method('memcpy'),
        'dpctl memcpy_async': method('memcpy_async'),
      }),
      targets: [{ against: 'dpctl memcpy', most: 1.2 }],
    },
    {
      name: 'CUDA (simulated)',
      contenders: async () => {
        const cuda = await simulatedCuda();
        return {
          ours: await oursOn(cuda, cuda.createQueue()),
          'cuda.core copy_to': cudaCore.contender({ calls: CALLS }),
        };
      },
      targets: [{ against: 'cuda.core copy_to', most: 2 }],
    },
  ];
  return compare(works, [dpctl, cudaCore, numpy]);
}

export default {
  what:
    '10,000 copies of 1 KiB, one awaited after the other and all ended: the time of each, after 100,000 of ours; and of a single one after a pause, when code and data have left the caches. CUDA is the ' +
    'simulator, for ours and for cuda.core: no figure of a GPU.',
  plot: { field: 'nanoseconds', title: 'nanoseconds for one copy of 1 KiB (less is better)' },
  run,
};
