import { fromCudaArrayInterface, fromProducer } from '@array-interface/core';
import { compare } from '../compare.mjs';
import { measure } from '../measure.mjs';
import { startPeers } from '../python.mjs';

const SECONDS = 0.25;

const dict = {
  shape: [4, 5, 6],
  typestr: '<f4',
  data: [0x7f0000001000, false],
  strides: [120, 24, 4],
  version: 3,
  stream: null,
};
const exact = { ...dict, data: [0x7f0000001000n, false] };
const producer = { __cuda_array_interface__: exact };

const readers = {
  'a dict, its pointer a number': () => fromCudaArrayInterface(dict),
  'a dict, its pointer a bigint': () => fromCudaArrayInterface(exact),
  'a producer, with fromProducer()': () => fromProducer(producer),
};

async function run() {
  const peers = startPeers('reading', 'cuda');
  const peer = (name) => peers.contender({ name, seconds: SECONDS });
  const measured = await compare(
    Object.entries(readers).map(([name, read]) => ({
      name,
      contenders: async () => ({
        ours: () => measure(read, { seconds: SECONDS }),
        NumPy: peer('NumPy'),
        'cuda.core': peer('cuda.core'),
        Numba: peer('Numba'),
      }),
      targets: [
        { against: 'cuda.core', least: 2 },
        { against: 'Numba', least: 10 },
      ],
    })),
  );
  peers.end();
  measured.notRun.push(...peers.missing);
  return measured;
}

export default {
  what:
    'Reading a 3-d CAI v3 dict with strides, every check on, beside `StridedMemoryView.from_cuda_array_interface` of ' +
    'cuda.core and `as_cuda_array(sync=False)` of Numba on the CUDA simulator, and NumPy’s C code reading its own interface.',
  plot: { field: 'nanoseconds', title: 'nanoseconds for one read (less is better)' },
  run,
};
