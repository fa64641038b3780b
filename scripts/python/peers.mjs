import { existsSync, readFileSync } from 'node:fs';
import { unpackPackages } from './debian.mjs';
import { environmentOf } from './environment.mjs';

const inPeers = (peer) =>
  environmentOf({
    ...peer,
    pins: `testing/peers/${peer.name}.txt`,
    target: `.peers/${peer.name}`,
  });

const RELEASE = '/etc/os-release';
const isDebian12 =
  existsSync(RELEASE) && /^VERSION_CODENAME=bookworm$/m.test(readFileSync(RELEASE, 'utf8'));

/** PyPI's PyTorch includes CUDA, and takes some gigabytes. */
const torch = {
  name: 'torch',
  what: 'Debian’s PyTorch',
  size: '0.7 GB, 0.2 GB to fetch',
  whyNot: 'as this is not Debian 12',
  bytesNeeded: 900_000_000,
  make: unpackPackages,
};

/** The Python environments of `npm run test:peers`, each with a file of pins in testing/peers. */
export const peers = [
  {
    name: 'sycl',
    what: 'dpctl, dpnp and NumPy',
    size: '2.9 GB, 0.9 GB to fetch',
    bytesNeeded: 3_900_000_000,
  },
  {
    name: 'cuda',
    what: 'Numba and cuda.core, for the CUDA simulator',
    size: '1.5 GB, 0.5 GB to fetch',
    bytesNeeded: 2_100_000_000,
  },
  {
    name: 'python',
    what: 'NumPy, PyArrow, Numba, JAX, tvm-ffi, mpi4py and libraries of tables and images, for the Python in Node’s process',
    size: '1.6 GB, 0.4 GB to fetch',
    bytesNeeded: 2_200_000_000,
  },
  {
    name: 'pycuda',
    what: 'PyCUDA, for the CUDA simulator',
    size: '0.1 GB, 24 MB to fetch, and a minute to build',
    bytesNeeded: 500_000_000,
    built: {
      name: 'pycuda',
      program: 'testing/peers/build_pycuda.py',
      arguments: ['packages/cuda-simulator/build/libcuda.so.1'],
      needs: 'g++ and the headers of Python (Debian, Ubuntu: sudo apt install g++ python3-dev)',
    },
  },
  {
    name: 'cupy',
    what: 'CuPy 12, for the CUDA simulator’s runtime library',
    size: '0.5 GB, 0.2 GB to fetch',
    bytesNeeded: 800_000_000,
  },
  {
    name: 'numexpr',
    what: 'numexpr and NumPy, for the benchmark of expressions',
    size: '0.1 GB, 18 MB to fetch',
    bytesNeeded: 200_000_000,
  },
  {
    name: 'mypy',
    what: 'mypy, for the types of the pip package',
    size: '0.1 GB, 20 MB to fetch',
    bytesNeeded: 200_000_000,
  },
  ...(isDebian12 ? [torch] : []),
].map(inPeers);

/** PyTorch with CUDA, of PyPI, for `npm run test:release`. */
const torchCuda = {
  name: 'torch-cuda',
  what: 'PyTorch, for the CUDA simulator’s runtime library',
  size: '1.4 GB, 0.6 GB to fetch',
  whyNot: 'npm run setup:peers -- torch-cuda makes it',
  bytesNeeded: 2_500_000_000,
};

/** JAX with its plugin for CUDA, likewise. */
const jaxCuda = {
  name: 'jax-cuda',
  what: 'JAX’s plugin, for the CUDA simulator’s runtime library',
  size: '1.1 GB, 0.3 GB to fetch',
  whyNot: 'npm run setup:peers -- jax-cuda makes it',
  bytesNeeded: 1_600_000_000,
};

/** numba-cuda-mlir, for `npm run suites`. */
const numbaCudaMlir = {
  name: 'numba-cuda-mlir',
  what: 'numba-cuda-mlir, for the CUDA simulator',
  size: '0.7 GB, 0.3 GB to fetch',
  whyNot: 'npm run setup:peers -- numba-cuda-mlir makes it',
  bytesNeeded: 1_500_000_000,
};

/** Environments that are not available everywhere, or are large: created only if they are named. */
export const otherPeers = [torchCuda, jaxCuda, numbaCudaMlir, ...(isDebian12 ? [] : [torch])].map(
  inPeers,
);
