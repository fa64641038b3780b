import {
  fromCudaArrayInterface,
  fromProducer,
  fromSyclUsmArrayInterface,
} from '@array-interface/core';
import { pythonPeers } from '../peers/peers.mjs';
import { compare } from '../runner/compare.mjs';
import { measure } from '../runner/measure.mjs';

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
const records = {
  shape: [100],
  typestr: '|V12',
  descr: [
    ['x', '<f4'],
    ['y', '<f4'],
    ['id', '<i4'],
  ],
  data: [0x7f0000001000n, false],
  version: 3,
};
const usm = {
  shape: [4, 5, 6],
  typestr: '<f4',
  data: [0x7f0000001000n, false],
  strides: [30, 6, 1],
  offset: 0,
  syclobj: 'opencl:cpu:0',
  version: 1,
};

const CUDA_TARGETS = [
  { against: 'NumPy', most: 0.7 },
  { against: 'cuda.core', least: 2 },
  { against: 'Numba', least: 10 },
];

/** Works: what this library reads, and the peers in Python that read an equivalent object. */
function worksOf({ cuda, sycl }) {
  const NumPy = cuda('NumPy');
  const cudaPeers = { NumPy, 'cuda.core': cuda('cuda.core'), Numba: cuda('Numba') };
  return [
    {
      name: 'a dict, its pointer a number',
      read: () => fromCudaArrayInterface(dict),
      peers: cudaPeers,
      targets: CUDA_TARGETS,
    },
    {
      name: 'a dict, its pointer a bigint',
      read: () => fromCudaArrayInterface(exact),
      peers: cudaPeers,
      targets: CUDA_TARGETS,
    },
    {
      name: 'a producer, with fromProducer()',
      read: () => fromProducer(producer),
      peers: cudaPeers,
      targets: CUDA_TARGETS.slice(1),
    },
    {
      name: 'records of three fields',
      read: () => fromCudaArrayInterface(records),
      peers: { NumPy: cuda('NumPy, a record') },
      targets: [{ most: 3000 }],
    },
    {
      name: 'a SUAI dict',
      read: () => fromSyclUsmArrayInterface(usm),
      peers: { NumPy, dpnp: sycl('dpnp') },
      targets: [{ against: 'NumPy', most: 0.7 }],
    },
  ];
}

async function run() {
  const cuda = pythonPeers('reading', 'cuda');
  const sycl = pythonPeers('sycl_reading', 'sycl');
  const contender = (peers) => (name) => peers.contender({ name, seconds: SECONDS });
  const works = worksOf({ cuda: contender(cuda), sycl: contender(sycl) });
  const compared = works.map(({ name, read, peers, targets }) => ({
    name,
    contenders: () => ({ ours: () => measure(read, { seconds: SECONDS }), ...peers }),
    targets,
  }));
  return compare(compared, [cuda, sycl]);
}

export default {
  what:
    'Reading a 3-d CAI v3 dict with strides, every check on, beside `StridedMemoryView.from_cuda_array_interface` of ' +
    'cuda.core and `as_cuda_array(sync=False)` of Numba on the CUDA simulator, and NumPy’s C code reading its own interface; a ' +
    'CAI dict of records with `descr` beside NumPy; a SUAI dict beside NumPy’s own and `dpnp.tensor.asarray`.',
  plot: { field: 'nanoseconds', title: 'nanoseconds for one read (less is better)' },
  run,
};
