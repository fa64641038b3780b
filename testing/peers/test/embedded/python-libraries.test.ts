import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Environment, pythonOf } from '../support/python.js';

// What Python's libraries do at the end of our process, and what they refuse. Each runs in a process of its own.

const folder = path.join(import.meta.dirname, '../..');

/** Runs a module in which `python` is started with an environment, and `ours` is an array of a backend. */
function run(environment: Environment, backend: string, code: string): SpawnSyncReturns<string> {
  const program = `
    import { ${backend} as backend } from '@array-interface/${backend}';
    import { startPython } from '@array-interface/python';
    const python = startPython({ venv: process.argv[1] });
    const ours = await backend.array([1, 2, 3], { dtype: 'float32' });
    python.import('__main__').set('ours', python.toPython(ours));
    ${code}`;
  const venv = path.join(pythonOf(environment), '../..');
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program, venv], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...(environment === 'torch' && environmentOfTorch()) },
  });
}

/** The variables that the command of .peers/torch sets, as Debian's packages are in a folder of ours. */
function environmentOfTorch(): NodeJS.ProcessEnv {
  const code = `import json, os
print(json.dumps({name: os.environ[name] for name in ('LD_LIBRARY_PATH', 'PYTHONPATH')}))`;
  return JSON.parse(
    spawnSync(pythonOf('torch'), ['-c', code], { encoding: 'utf8' }).stdout,
  ) as NodeJS.ProcessEnv;
}

const ENDS: [end: string, code: string, status: number][] = [
  ['natural end', 'process.exitCode = 4', 4],
  ['process.exit', 'process.exit(3)', 3],
];

// A library's static destructors drop Python's objects, some of which use our memory.
describe.each(ENDS)('the process ends as it should: %s, with', (_, end, status) => {
  const expectEnd = (environment: Environment, backend: string, code: string) => {
    const ended = run(
      environment,
      backend,
      `python.exec(\`${code}\`);
      globalThis.theirs = backend.asArray(python.eval('theirs'));
      console.log(theirs.shape);
      ${end};`,
    );
    expect(ended).toMatchObject({ status, signal: null, stdout: '[ 3 ]\n', stderr: '' });
  };

  test('jax, pyarrow, numba and mpi4py at one time', () => {
    expectEnd(
      'python',
      'host',
      `
import jax.numpy, mpi4py.MPI, numba, numpy, pyarrow
total = numba.njit(lambda a: a.sum())
kept = [jax.numpy.from_dlpack(ours), pyarrow.py_buffer(ours), total, total(numpy.asarray(ours))]
world = mpi4py.MPI.COMM_WORLD
theirs = pyarrow.array([1, 2, 3])`,
    );
  });

  test('dpnp', () => {
    expectEnd(
      'sycl',
      'sycl',
      `
import dpnp
kept = dpnp.asarray(dpnp.tensor.asarray(ours, copy=False))
kept *= 2
theirs = dpnp.arange(3)`,
    );
  });

  // npm run test:peers creates it on Debian 12. Elsewhere it reports that torch is left out.
  test.runIf(existsSync(pythonOf('torch')))('torch', () => {
    expectEnd(
      'torch',
      'host',
      `
import torch
kept = torch.from_dlpack(ours)
theirs = torch.ones(3)`,
    );
  });
});

test('joblib works in its own processes, which write to the same output', () => {
  const ended = run(
    'python',
    'host',
    `python.exec(\`
import joblib
print(joblib.Parallel(n_jobs=2)(joblib.delayed(abs)(number) for number in [-1, 2]), flush=True)
joblib.Parallel(n_jobs=2)([joblib.delayed(print)('from a process', flush=True)])
joblib.externals.loky.get_reusable_executor().shutdown()
\`)`,
  );
  expect(ended).toMatchObject({ status: 0, stderr: '', stdout: '[1, 2]\nfrom a process\n' });
});

test.runIf(existsSync(pythonOf('torch')))('torch’s own error says why it returns no tensor', () => {
  const { stdout, stderr } = run(
    'torch',
    'host',
    `python.exec('import torch');
    try {
      backend.asArray(python.eval('torch.ones(3, requires_grad=True)'));
    } catch (error) {
      console.log(error.message);
    }`,
  );
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^\[ERR_PYTHON\] .*require gradient/);
});
