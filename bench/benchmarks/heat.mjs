import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compare } from '../runner/compare.mjs';

const here = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const venv = here('.peers/python');
const inVenv = (program) => path.join(venv, 'bin', program);

/** Nanoseconds that the steps of an MPI job take, which rank 0 prints in milliseconds. */
async function job(ranks, command, field) {
  const options = Object.entries(field).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const args = ['-n', String(ranks), ...command, ...options];
  const { stdout } = await promisify(execFile)(inVenv('mpiexec'), args);
  return 1e6 * Number(/steps in (\d+) ms/.exec(stdout)[1]);
}

const IN_NODE = [process.execPath, here('examples/heat/bin/rank.js'), '--venv', venv];
const picture = ['--out', path.join(tmpdir(), 'array-interface-heat.png')];
const IN_PYTHON = [inVenv('python'), '-m', 'mpi4py', here('examples/heat/python/heat.py')];

const row = (ranks, rows, columns, steps) => ({
  name: `${ranks === 1 ? '1 rank' : `${ranks} ranks`}, ${rows} x ${columns}, ${steps} steps`,
  contenders: () => {
    const field = { rows, columns, steps };
    const own = [...IN_NODE, '--ranks', String(ranks), ...picture];
    return {
      ours: () => job(ranks, own, field),
      'NumPy alone': () => job(ranks, IN_PYTHON, field),
    };
  },
  targets: [{ against: 'NumPy alone', most: 1.1 }],
});

export default {
  what:
    'The steps of `examples/heat`: ranks in Node, in host memory, beside ranks in plain Python that do the same with NumPy and mpi4py. ' +
    'From the first step to the last, without the start of the processes.',
  plot: { field: 'nanoseconds', title: 'nanoseconds of all steps (less is better)' },
  run: () =>
    compare(
      [
        [50, 50, 20_000],
        [200, 300, 500],
        [200, 300, 20_000],
        [1000, 1500, 500],
        [2000, 3000, 200],
      ].flatMap(([rows, columns, steps]) =>
        [1, 2].map((ranks) => row(ranks, rows, columns, steps)),
      ),
    ),
};
