import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cuda } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { host } from '@array-interface/host';
import { afterAll, expect, test } from 'vitest';
import { pipPackage, pythonOf, simulator } from './support/python.js';

process.env.ARRAY_INTERFACE_LIBCUDA = libraryPath; // before the driver is loaded, at first use

const page = fileURLToPath(new URL('../../../pip/README.md', import.meta.url));
const blocks = [...readFileSync(page, 'utf8').matchAll(/^```python\n(.*?)^```$/gms)].map(
  ([, code]) => code as string,
);
const [opening = '', openingOfCuda = '', sharing = ''] = blocks;

/** The output that the comments after `print(…)` promise. */
const promised = (code: string) =>
  [...code.matchAll(/^ *print\([^#]*\) {2}# (.*)$/gm)].map(([, text]) => text);

/** Runs a program with a line as its input. Returns what it prints. */
function start(code: string) {
  const [command, ...before] = simulator;
  const child = spawn(command, [...before, pythonOf('cuda'), '-c', code], {
    env: {
      ...process.env,
      PYTHONPATH: pipPackage,
      PYTHONDONTWRITEBYTECODE: '1',
      CUDA_PYTHON_DISABLE_MAJOR_VERSION_WARNING: '1',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (value: unknown) => child.stdin.write(`${JSON.stringify(value)}\n`);
  return { send, ended, line: async () => (await lines.next()).value as string };
}

test('all programs on the page are known', () => {
  expect(blocks).toHaveLength(3);
});

const folder = mkdtempSync(path.join(tmpdir(), 'python-readme-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The errors of `mypy --strict` in programs, with NumPy's own types. */
function typeErrors(programs: readonly string[]): string[] {
  const files = programs.map((code, number) => {
    const file = path.join(folder, `program${number}.py`);
    writeFileSync(file, code);
    return file;
  });
  const options = [
    '--python-executable',
    pythonOf('cuda'),
    '--cache-dir',
    path.join(folder, 'cache'),
  ];
  // Few of Numba's functions have types.
  const strict = ['--strict', '--untyped-calls-exclude=numba', '--no-error-summary'];
  const { stdout, stderr, status } = spawnSync(
    pythonOf('mypy'),
    ['-m', 'mypy', ...strict, ...options, pipPackage, ...files],
    { encoding: 'utf8', env: { ...process.env, MYPYPATH: pipPackage } },
  );
  expect([stderr, status]).toEqual(['', stdout === '' ? 0 : 1]);
  return stdout.split('\n').slice(0, -1);
}

test('mypy --strict takes all programs and the package, and refuses what it should', () => {
  expect(typeErrors(blocks)).toEqual([]);
  const wrong = opening.replace('open_host_ticket(ticket)', 'open_ticket(ticket)');
  const calls = wrong.replace('numpy.asarray(array)', 'array.numpy()');
  expect(typeErrors([calls])).toEqual([
    expect.stringContaining('Item "CudaArray" of "HostArray | CudaArray" has no attribute "numpy"'),
  ]);
});

test("opens a host's ticket, and prints what it promises", async () => {
  using array = await host.array([1, 2, 3], { shareable: true });
  const program = start(opening);
  program.send(host.share(array));
  expect([await program.line()]).toEqual(promised(opening));
  expect(await program.ended).toEqual([0, null]);
  expect(await host.toTypedArray(array)).toEqual(Float64Array.of(2, 4, 6));
});

test('opens one of CUDA, in order', async () => {
  using array = await cuda.array([1, 2, 3], { dtype: 'float32' });
  const ticket = cuda.share(array);
  void cuda.fill(array, 3); // pending
  const program = start(openingOfCuda);
  program.send(ticket);
  expect([await program.line()]).toEqual(promised(openingOfCuda));
  expect(await program.ended).toEqual([0, null]);
  expect(await cuda.toTypedArray(array)).toEqual(Float32Array.of(7, 7, 7));
});

test('shares an array', async () => {
  const program = start(sharing);
  using array = host.openShared(JSON.parse(await program.line()));
  program.send('opened');
  expect(await program.ended).toEqual([0, null]);
  expect(await host.toTypedArray(array)).toEqual(Float32Array.of(1, 2, 3, 4, 5, 6));
  expect(array.shape).toEqual([2, 3]);
});
