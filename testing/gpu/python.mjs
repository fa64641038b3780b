import path from 'node:path';
import { parseArgs } from 'node:util';
import { cuda } from '@array-interface/cuda';
import { startPython } from '@array-interface/python';
import { driver } from './driver/driver.mjs';

// node python.mjs [--simulator]: CuPy, PyTorch and Numba in this process, on this machine's GPU. Their arrays are used
// here and ours there, without a copy. The Python is GPU_PYTHON or python3. Reports libraries that are not installed.
const { values } = parseArgs({ options: { simulator: { type: 'boolean', default: false } } });

const TORCH = {
  module: 'torch',
  pointer: 'seen.data_ptr()',
  double: 'seen.mul_(2)',
  make: 'torch.arange(4, dtype=torch.float32, device="cuda") * 3',
  wait: 'torch.cuda.synchronize()',
};
/** In each library's terms: our array, its address, doubling it, an array of the library, and a wait for its work. */
const LIBRARIES = {
  CuPy: {
    module: 'cupy',
    take: 'cupy.asarray(ours)',
    pointer: 'seen.data.ptr',
    double: 'seen.__imul__(2)',
    make: 'cupy.arange(4, dtype="f4") * 3',
    wait: 'cupy.cuda.Device().synchronize()',
  },
  PyTorch: { ...TORCH, take: 'torch.as_tensor(ours, device="cuda")' },
  'PyTorch by DLPack': { ...TORCH, take: 'torch.from_dlpack(ours)' },
  Numba: {
    module: 'numba.cuda',
    take: 'numba.cuda.as_cuda_array(ours)',
    pointer: 'seen.gpu_data.device_pointer_value',
    double: 'seen.copy_to_device(seen.copy_to_host() * 2)',
    make: 'numba.cuda.to_device([0.0, 3.0, 6.0, 9.0])',
    wait: 'numba.cuda.synchronize()',
  },
};

function expectSame(what, got, wanted) {
  if (String(got) !== String(wanted)) throw new Error(`${what}: expected ${wanted}, got ${got}`);
}

/** Checks both ways with one library. Throws if a value differs. */
async function checkBoth(python, { take, pointer, double, make, wait }) {
  const main = python.import('__main__');
  const ours = await cuda.array([1, 2, 3, 4], { dtype: 'float32' }); // still on its way
  main.set('ours', python.toPython(ours));
  python.exec(`seen = ${take}`);
  expectSame('address', python.eval(pointer), ours.pointer);
  python.exec(double);
  python.exec(wait); // the library has a stream of its own
  expectSame('computed there', await cuda.toTypedArray(ours), [2, 4, 6, 8]);
  const theirs = cuda.asArray(python.eval(make)); // still on its way
  expectSame('read here', await cuda.toTypedArray(theirs), [0, 3, 6, 9]);
}

/** Returns null if there is no such module. */
function find(python, module) {
  try {
    return python.import(module);
  } catch (error) {
    if (error.type === 'ModuleNotFoundError') return null;
    throw error;
  }
}

async function main() {
  const program = process.env.GPU_PYTHON;
  const python = startPython(program ? { venv: path.resolve(program, '..', '..') } : {});
  for (const [name, library] of Object.entries(LIBRARIES)) {
    try {
      if (find(python, library.module) === null) {
        console.log(`not run: ${name} in this process: no module ${library.module}`);
        continue;
      }
      python.exec(`import ${library.module}`);
      await checkBoth(python, library);
      console.log(`ok     ${name} in this process, both ways`);
    } catch (error) {
      console.log(`FAILED ${name} in this process: ${error.message}`);
      process.exitCode = 1;
    }
  }
}

const wanted = values.simulator ? 'simulator' : 'real';
if (driver.kind === wanted) await main();
else console.log('not run: Python in this process: no GPU, as it says above');
