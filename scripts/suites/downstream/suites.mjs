import path from 'node:path';
import { otherPeers, peers } from '../../python/peers.mjs';
import { outputOf, root } from '../../run.mjs';

const environmentNamed = (name) => [...peers, ...otherPeers].find((peer) => peer.name === name);

/** The folder of an environment's packages. */
async function packagesOf(python) {
  const where = 'import sysconfig; print(sysconfig.get_path("purelib"))';
  return (await outputOf(python, ['-c', where])).trim();
}

/** As in testing/peers/test/support/runtime.ts, which says why. */
async function variablesOfCupy({ target, python }) {
  const standIns = path.join(target, 'stand-ins');
  await outputOf(python, [path.join(root, 'testing/peers/make_stand_ins.py'), standIns]);
  const nvrtc = path.join(await packagesOf(python), 'nvidia/cuda_nvrtc/lib');
  return {
    LD_LIBRARY_PATH: `${standIns}:${nvrtc}`,
    CUPY_ACCELERATORS: '',
    CUPY_COMPILE_WITH_PTX: '1',
    CUPY_CACHE_DIR: path.join(target, 'kernels'),
  };
}

/** Numba warns of an environment without nvJitLink, which would link for real devices only. */
const variablesOfNumba = { CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING: '1' };

/**
 * Libraries whose own tests run on the simulator, by NAME in `npm run suites -- NAME PATH`. Their
 * files are those of a `commit` that match `tests`; `paths` is what they need of the repository.
 * `environment` is a Python environment, and `variables` sets what it needs. Each test may take
 * `limit` seconds.
 */
export const SUITES = {
  cupy: {
    commit: 'fc5c421d842f6e90285e5aafc779b999e37ca2fe', // v12.3.0
    paths: ['tests', 'setup.cfg'],
    tests: [
      /^tests\/cupy_tests\/core_tests\/test_ndarray\w*\.py$/,
      /^tests\/cupy_tests\/core_tests\/test_(core|dlpack|flags|syncdetect)\.py$/,
      /^tests\/cupy_tests\/cuda_tests\/test_(device|driver|graph|memory|memory_hook)\.py$/,
      /^tests\/cupy_tests\/cuda_tests\/test_(pinned_memory|runtime|stream)\.py$/,
      /^tests\/cupy_tests\/cuda_tests\/memory_hooks_tests\/test_\w+\.py$/,
    ],
    environment: environmentNamed('cupy'),
    variables: variablesOfCupy,
    limit: 120,
  },
  stumpy: {
    commit: '423c679fdfcdd547744d2b9a2aed7565124fd6e1', // after v1.13.0, of April 2025
    paths: ['stumpy', 'tests', 'conftest.py', 'pyproject.toml'],
    tests: [/^tests\/test_gpu_\w+\.py$/, /^tests\/test_(core|precision)\.py$/],
    environment: environmentNamed('cuda'),
    variables: (_, checkout) => ({
      ...variablesOfNumba,
      PYTHONPATH: checkout,
      NUMBA_CACHE_DIR: path.join(checkout, 'numba-cache'),
    }),
    limit: 120,
  },
  'numba-cuda-mlir': {
    commit: '10ece76b48edd680c2b9bad05a8081921b46f6fc', // v0.5.0
    paths: ['tests', 'pyproject.toml'],
    // As its own configuration has them: without benchmarks and examples of its pages.
    tests: [/^tests\/(?!.*(benchmarks|doc_examples)\/).*\btest_\w+\.py$/],
    environment: environmentNamed('numba-cuda-mlir'),
    variables: () => variablesOfNumba,
    limit: 120,
  },
};
