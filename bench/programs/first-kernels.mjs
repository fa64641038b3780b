import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineKernel } from '@array-interface/core/kernel';
import { sycl } from '@array-interface/sycl';

// Prints the milliseconds of the first copy of a process, or of the first launches of 24 kernels of
// one module. The runtime is opened and its arrays are created before. `copy` or `launches` is its
// argument.

const MODULE = fileURLToPath(new URL('../kernels/many.spv', import.meta.url));
const NAMES = ['exp', 'sin', 'pow', 'sqrt', 'log', 'tanh'].flatMap((name) =>
  [0, 1, 2, 3].map((i) => `the_${name}${i}`),
);
const N = 64;
const source = await sycl.array(new Float32Array(N * N).fill(1), { shape: [N, N] });

/** A copy that transposes and converts. */
async function copy() {
  const target = sycl.empty([N, N], 'float64');
  const began = performance.now();
  await sycl.copy(target, source.transpose());
  return performance.now() - began;
}

async function launches() {
  const target = sycl.empty([N, N], 'float32');
  const spirv = readFileSync(MODULE);
  const began = performance.now();
  for (const name of NAMES) {
    const parameters = { source: { read: 'float32' }, target: { write: 'float32' }, n: 'uint32' };
    const kernel = defineKernel({ name, parameters, code: { sycl: { spirv } } });
    await sycl.launch(kernel, { range: [N * N] }, { source, target, n: N * N });
  }
  await sycl.synchronize();
  return performance.now() - began;
}

console.log(await { copy, launches }[process.argv[2]]());
