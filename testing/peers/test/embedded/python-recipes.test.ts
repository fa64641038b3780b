import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Environment, pipPackage, pythonOf, simulator } from '../support/python.js';
import {
  bothEnvironment,
  cupyEnvironment,
  jaxEnvironment,
  torchEnvironment,
} from '../support/runtime.js';

// The programs of examples/python, each in a process of its own with the environment that it needs.
const recipes = path.join(import.meta.dirname, '../../../../examples/python');
const photo = path.join(recipes, '../data/astronaut.png');
const folder = mkdtempSync(path.join(tmpdir(), 'python-recipes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const venvOf = (environment: Environment) => path.join(pythonOf(environment), '../..');

/** The command of a program, its arguments after the environment, and its variables. */
interface How {
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** What a program prints, and what the comments after its console.log promise. */
function run(name: string, venv: string, { command = [], args = [], env = {} }: How = {}) {
  const file = path.join(recipes, `${name}.mjs`);
  const [first, ...rest] = [...command, process.execPath, file, venv, ...args];
  const printed = execFileSync(first as string, rest, {
    encoding: 'utf8',
    // The processes that open tickets have the pip package.
    env: { ...process.env, PYTHONPATH: pipPackage, ...env },
  });
  const code = readFileSync(file, 'utf8');
  const promised = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, said]) => said);
  expect(promised).not.toEqual([]);
  return { printed: printed.split('\n').slice(0, -1), promised };
}

/** The variables that the command of .peers/torch sets, as Debian's packages are in a folder of ours. */
function environmentOfTorch(): NodeJS.ProcessEnv {
  const names = ['LD_LIBRARY_PATH', 'PYTHONPATH'];
  const question = `import json, os; print(json.dumps({n: os.environ[n] for n in ${JSON.stringify(names)}}))`;
  return JSON.parse(execFileSync(pythonOf('torch'), ['-c', question], { encoding: 'utf8' }));
}

/** An environment with the packages of two. */
function joined(...environments: readonly [Environment, Environment]): string {
  const venv = path.join(folder, 'joined');
  execFileSync(pythonOf(environments[0]), ['-m', 'venv', '--without-pip', venv]);
  const [site] = sitesOf(venv);
  const sites = environments.flatMap((environment) => sitesOf(venvOf(environment)));
  writeFileSync(path.join(site as string, 'joined.pth'), `${sites.join('\n')}\n`);
  return venv;
}

function sitesOf(venv: string): string[] {
  const lib = path.join(venv, 'lib');
  const pythons = readdirSync(lib).filter((name) => name.startsWith('python3.'));
  return pythons.map((name) => path.join(lib, name, 'site-packages'));
}

describe('prints what its comments say:', () => {
  test.each<[name: string, environment: Environment, how?: How]>([
    ['numpy', 'python'],
    ['numba', 'python'],
    ['pyarrow', 'python'],
    ['jax', 'python'],
    ['scikit-learn', 'python'],
    ['pandas', 'python'],
    ['polars', 'python'],
    ['xarray', 'python'],
    ['h5py', 'python'],
    ['scipy-sparse', 'python'],
    ['pillow', 'python'],
    ['opencv', 'python'],
    ['mpi4py', 'python', { command: [path.join(venvOf('python'), 'bin', 'mpiexec'), '-n', '2'] }],
    ['dpctl', 'sycl'],
    ['dpnp', 'sycl'],
    ['photograph', 'sycl', { args: [photo, path.join(folder, 'out.png')] }],
    ['numba-cuda', 'cuda', { command: simulator }],
    ['cuda-core', 'cuda', { command: simulator }],
    ['pycuda', 'pycuda', { command: simulator }],
  ])('%s', (name, environment, how) => {
    const { printed, promised } = run(name, venvOf(environment), how);
    expect(printed).toEqual(promised);
  });

  // npm run test:peers creates it on Debian 12. Elsewhere it reports that torch is left out.
  test.runIf(existsSync(pythonOf('torch')))('torch', () => {
    const { printed, promised } = run('torch', venvOf('torch'), { env: environmentOfTorch() });
    expect(printed).toEqual(promised);
  });

  test('cupy', () => {
    const how = { command: simulator, env: cupyEnvironment() };
    const { printed, promised } = run('cupy', venvOf('cupy'), how);
    expect(printed).toEqual(promised);
  });

  // npm run test:release creates their environments. CuPy's Python finds PyTorch, too.
  describe.each<
    [name: string, wheels: Environment, env: () => NodeJS.ProcessEnv, by?: Environment]
  >([
    ['torch-cuda', 'torch-cuda', torchEnvironment],
    ['jax-cuda', 'jax-cuda', jaxEnvironment],
    ['cupy-torch', 'torch-cuda', bothEnvironment, 'cupy'],
  ])('before a release, %s', (name, wheels, environmentOf, environment = wheels) => {
    test.runIf(existsSync(pythonOf(wheels)))(
      'on the simulator’s runtime library',
      () => {
        const how = { command: simulator, env: environmentOf() };
        const { printed, promised } = run(name, venvOf(environment), how);
        expect(printed).toEqual(promised);
      },
      120_000,
    );
  });

  test('three, with an array of each interface', () => {
    const venv = joined('sycl', 'cuda');
    // startPython names the driver in the environment by itself.
    const env = { OCL_ICD_FILENAMES: path.join(venvOf('sycl'), 'lib', 'libintelocl.so') };
    const { printed, promised } = run('three', venv, { command: simulator, env });
    expect(printed).toEqual(Array(3).fill(promised[0]));
  });
});

test('every program is run', () => {
  const files = readdirSync(recipes).filter((name) => name.endsWith('.mjs'));
  const text = readFileSync(import.meta.filename, 'utf8');
  for (const file of files) expect(text).toContain(`'${path.basename(file, '.mjs')}'`);
});
