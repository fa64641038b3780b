import { spawnSync } from 'node:child_process';
import { compareWithNumpy } from '@array-interface/bench/compare-with-numpy';
import { cuda } from '@array-interface/cuda';
import { check } from '../check.mjs';
import { drawn } from '../layouts/drawn.mjs';
import { seed } from '../layouts/random.mjs';

const python = process.env.GPU_PYTHON ?? 'python3';
const copies = drawn();
const copy = (to, from) => cuda.copy(to, from, { casting: 'unsafe' });
const ways = {
  'at first': copy,
  'with kernels built': async (to, from) => {
    await cuda.whenKernelsReady();
    await copy(to, from);
  },
};

check(
  `${copies.length} layouts of the benchmark are NumPy's, seed ${seed}`,
  async ({ observed }) => {
    if (spawnSync(python, ['-c', 'import numpy']).status === 0) {
      await compareWithNumpy({ backend: cuda, ways, copies, python, seed });
    } else {
      observed.instead = `not done: ${python} has no NumPy; name one that has in GPU_PYTHON`;
    }
  },
);
