import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { type Environment, pipPackage, pythonOf } from './python.js';

const peers = path.join(import.meta.dirname, '../../../../.peers');
/** Makes files of the names of cuBLAS and others that an environment's wheels want, in the folder that it is given. */
export const makeStandIns: string = path.join(import.meta.dirname, '../../make_stand_ins.py');

/** The folder of an environment's packages. */
export function packagesOf(environment: Environment): string {
  const where = 'import sysconfig; print(sysconfig.get_path("purelib"))';
  return execFileSync(pythonOf(environment), ['-c', where], { encoding: 'utf8' }).trim();
}

/** Makes files of the names of cuBLAS and others in a folder of .peers, unless they are there. */
function standIns(folder: string, python: Environment, env: NodeJS.ProcessEnv = {}): string {
  const target = path.join(peers, folder);
  execFileSync(pythonOf(python), [makeStandIns, target], { env: { ...process.env, ...env } });
  return target;
}

/** What CuPy needs beside the stand-ins: kernels as PTX, and no CUB, whose machine code fails silently. */
const cupyVariables = {
  CUPY_ACCELERATORS: '',
  CUPY_COMPILE_WITH_PTX: '1',
  CUPY_CACHE_DIR: path.join(peers, 'cupy/kernels'),
};

/** A wheel for CUDA 13 asks a driver of CUDA 12 for functions that it does not know. */
const driverOf13 = { CUDA_SIMULATOR_DRIVER_VERSION: '13000' };

const nvrtcOfCupy = () => path.join(packagesOf('cupy'), 'nvidia/cuda_nvrtc/lib');

/** The variables with which CuPy 12 runs on the simulator’s runtime library. */
export function cupyEnvironment(): NodeJS.ProcessEnv {
  const folder = standIns('cupy/stand-ins', 'cupy');
  return { LD_LIBRARY_PATH: `${folder}:${nvrtcOfCupy()}`, ...cupyVariables };
}

/** The variables with which PyTorch runs on the simulator’s runtime library. */
export function torchEnvironment(): NodeJS.ProcessEnv {
  return { LD_LIBRARY_PATH: standIns('torch-cuda/stand-ins', 'torch-cuda'), ...driverOf13 };
}

/**
 * The variables with which JAX's plugin runs on the simulator’s runtime library. JAX waits for host functions by means of
 * its own, so nothing lazy would ever run. It takes three quarters of a device at once if it may.
 */
export function jaxEnvironment(): NodeJS.ProcessEnv {
  return {
    LD_LIBRARY_PATH: standIns('jax-cuda/stand-ins', 'jax-cuda'),
    CUDA_SIMULATOR_SCHEDULE: 'eager',
    JAX_PLATFORMS: 'cuda',
    JAX_SKIP_CUDA_CONSTRAINTS_CHECK: '1', // of the versions of cuDNN and others
    XLA_PYTHON_CLIENT_PREALLOCATE: 'false',
    TF_CPP_MIN_LOG_LEVEL: '3', // what the stand-ins refuse is no news
    ...driverOf13,
  };
}

/** The variables with which the Python of CuPy's environment finds PyTorch, too. */
export function bothEnvironment(): NodeJS.ProcessEnv {
  const PYTHONPATH = `${pipPackage}:${packagesOf('torch-cuda')}`;
  const folder = standIns('torch-cuda/stand-ins-of-both', 'cupy', { PYTHONPATH });
  const LD_LIBRARY_PATH = `${folder}:${nvrtcOfCupy()}`;
  return { LD_LIBRARY_PATH, PYTHONPATH, ...cupyVariables, ...driverOf13 };
}
