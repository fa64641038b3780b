import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { pythonOf } from './python.js';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/**
 * The variables with which CuPy 12 runs: files of the names of cuBLAS and others, NVRTC, kernels as
 * PTX, and no CUB, whose machine code fails silently. Makes the files if they are not there.
 */
export function cupyEnvironment(): NodeJS.ProcessEnv {
  const standIns = path('../../../../.peers/cupy/stand-ins');
  const python = pythonOf('cupy');
  execFileSync(python, [path('../../make_stand_ins.py'), standIns], { encoding: 'utf8' });
  const where = 'import sysconfig; print(sysconfig.get_path("purelib"))';
  const packages = execFileSync(python, ['-c', where], { encoding: 'utf8' }).trim();
  return {
    LD_LIBRARY_PATH: `${standIns}:${packages}/nvidia/cuda_nvrtc/lib`,
    CUPY_ACCELERATORS: '',
    CUPY_COMPILE_WITH_PTX: '1',
    CUPY_CACHE_DIR: path('../../../../.peers/cupy/kernels'),
  };
}
