import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { libraryFolder } from '../src/index.js';

const [atExit, nulls, probe, sharing] = ['at_exit', 'nulls', 'probe', 'sharing'].map((name) =>
  fileURLToPath(new URL(`runtime/${name}.py`, import.meta.url)),
) as [string, string, string, string];
const libraryOf = (major: number) => `${libraryFolder}/runtime/libcudart.so.${major}`;

/** The version of the driver is the library's at least, or each call is cudaErrorInsufficientDriver. */
function environmentOf(major: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    LD_LIBRARY_PATH: libraryFolder,
    PYTHONDONTWRITEBYTECODE: '1',
    ...(major > 12 && { CUDA_SIMULATOR_DRIVER_VERSION: `${major}000` }),
  };
}

const bytes = (...values: number[]) => Buffer.from(values).toString('hex');

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}

/** The names that NVIDIA's header declares, with the majors of CUDA whose header does. */
const declared = new Map(
  [...read('runtime/names.txt').matchAll(/^(cuda\w+) ([\d ]+)$/gm)].map(
    ([, name = '', majors = '']) => [name, majors.split(' ').map(Number)],
  ),
);

function declaredIn(major: number): string[] {
  return [...declared].filter(([, majors]) => majors.includes(major)).map(([name]) => name);
}

const table = read('../native/runtime/refused_api.hpp');
const refused = new Set([...table.matchAll(/ROW\((cuda\w+)\)/g)].map(([, name]) => name));

const sources = new URL('../native/runtime/', import.meta.url);
const code = readdirSync(sources).map((file) => readFileSync(new URL(file, sources), 'utf8'));
/** The functions with bodies, but for the per-thread names: name and parameters. */
const bodies = [...code.join('').matchAll(/CUDART_EXPORT (\w+)\(([^{]*?)\) \{/g)];

/** What another header declares, and the mark of the simulator. */
const others = ['cudaProfilerStart', 'cudaProfilerStop', 'simcudart_marker'];
const isKnown = (name: string) =>
  declared.has(name) || others.includes(name) || name.startsWith('__cuda');

function exportsOf(major: number): { name: string; version: string }[] {
  const options = ['-D', '--defined-only', '--with-symbol-versions'];
  const listed = execFileSync('nm', [...options, libraryOf(major)], { encoding: 'utf8' });
  return [...listed.matchAll(/ [A-Z] (\w+)@@(\S+)$/gm)].map(([, name = '', version = '']) => ({
    name,
    version,
  }));
}

describe.each([12, 13])('the runtime library of CUDA %i', (major) => {
  it('does through the documented functions what the driver does', () => {
    const { stdout, stderr } = spawnSync('python3', [probe, libraryOf(major)], {
      encoding: 'utf8',
      env: environmentOf(major),
    });
    expect(stderr.split('\n')).toEqual([
      "cuda-simulator: kernel 'other' and others of its file come in a fat binary, which is not looked into: only PTX text runs here",
      "cuda-simulator: managed variable 'more' is in memory of the first device that used its file: reset that one before another uses it",
      'cuda-simulator: cudaCreateTextureObject is not implemented: cudaErrorNotSupported',
      '',
    ]);
    expect(JSON.parse(stdout)).toEqual({
      version: major === 12 ? 12080 : 13000,
      device: 0,
      properties: {
        warpSize: 32,
        major: 9,
        multiProcessorCount: 32,
        asyncEngineCount: 2,
        ipcEventSupported: 1,
      },
      initialised: [101, 1, 0, 0, 4],
      set: 101,
      errors: [101, 0, 101, 0],
      names: ['cudaErrorInvalidDevice', 'cudaErrorInvalidDeviceFunction'],
      text: 'out of memory',
      texts: ['unrecognized error code', 138, []],
      devices: [1, 0],
      copied: bytes(0, 1, 2, 3, 4, 5, 6, 7),
      kinds: [1, 21, 0],
      rows: bytes(0, 1, 0, 0, 8, 9, 0, 0, 16, 17, 0, 0),
      box: bytes(21, 22, 25, 26, 37, 38, 41, 42),
      types: [0, 1, 2, 3],
      unwaited: bytes(0, 0, 0, 0, 0, 0, 0, 0),
      waited: bytes(5, 5, 5, 5, 5, 5, 5, 5),
      'own stream': [0, 600],
      pinned: [
        bytes(2, 2, 2, 2, 2, 2, 2, 2, 1, 1),
        bytes(3, 3, 2, 2, 3, 3, 2, 2),
        bytes(4, 3, 4, 2, 4, 3, 4, 2),
      ],
      'own fill': [bytes(6, 6, 6, 6, 6, 6, 6, 6), 0, 600],
      'own copies': [
        bytes(7, 7, 4, 2, 7, 7, 4, 2, 7, 7),
        bytes(8, 8, 8, 8, 8, 8, 8, 8),
        bytes(9, 9, 9, 9, 9, 9, 9, 9),
      ],
      retained: 0,
      'newer entry point': [true, 0],
      'entry points': [0, 600],
      captured: [900, 0, 1, bytes(4, 4, 4, 4, 4, 4, 4, 4)],
      graph: [bytes(4, 4, 4, 4, 4, 4, 4, 4), bytes(9, 9, 9, 9, 9, 9, 9, 9)],
      kernel: major === 12 ? bytes(15, 0, 0, 0, 15, 0, 0, 0) : bytes(20, 0, 0, 0, 20, 0, 0, 0),
      'own launches': [
        0,
        600,
        bytes(7, 0, 0, 0),
        major === 12 ? bytes(27, 0, 0, 0, 27, 0, 0, 0) : bytes(32, 0, 0, 0, 32, 0, 0, 0),
      ],
      shapes: [9, 9, 9, 9, 9, 9],
      'unknown kernel': 98,
      'fat binary': 98,
      'managed variable': [1, bytes(10, 0, 0, 0), bytes(10, 0, 0, 0, 10, 0, 0, 0), 801],
      unregistered: [1, 0, 98],
      refused: [801, 801],
      threads: [80, bytes(10, 0, 0, 0, 10, 0, 0, 0)],
      'after a reset': [
        Buffer.from('12345678').toString('hex'),
        bytes(10, 0, 0, 0, 10, 0, 0, 0),
        bytes(10, 0, 0, 0),
        4,
      ],
    });
  });

  it('shares memory with pools, processes and devices, and calls host functions in stream order', () => {
    const printed = execFileSync('python3', [sharing, libraryOf(major)], {
      encoding: 'utf8',
      env: environmentOf(major),
    });
    const pair = (first: number, second: number) =>
      bytes(...Array(4).fill(first), ...Array(4).fill(second));
    expect(JSON.parse(printed)).toEqual({
      pool: [pair(7, 7), true, 2 ** 20, 0, 3, [true, false]],
      'other process': [0, pair(5, 5), pair(7, 7), pair(6, 5)],
      peers: [1, 0, 704, 0, 705, 201, 101, pair(3, 5), bytes(3, 3, 1, 1, 1, 1, 1, 1)],
      'host functions': [
        ['host function', bytes(1, 1), true],
        [800, 800],
        [['callback', true, 0, 9], bytes(2, 2), true],
        ['own stream', bytes(3, 3), true],
        1,
      ],
    });
  });

  it('answers null for any pointer with an error, in each function', () => {
    const { stdout, stderr } = spawnSync('python3', [nulls, libraryOf(major)], {
      encoding: 'utf8',
      env: environmentOf(major),
    });
    expect({ stdout, last: stderr.slice(-200) }).toMatchObject({
      stdout: expect.stringMatching('{'),
    });
    const { called, problems } = JSON.parse(stdout) as Record<string, string[]>;
    expect(problems).toEqual([]);
    const takes = bodies.filter(([, , parameters = '']) => /\*|cuda[A-RT-Z]\w+_t/.test(parameters));
    expect(takes.map(([, name]) => name).filter((name = '') => !called?.includes(name))).toEqual(
      [],
    );
  });

  it('does not call a driver that has ended', () => {
    const { status, stderr } = spawnSync('python3', [atExit, libraryOf(major)], {
      encoding: 'utf8',
      env: { ...environmentOf(major), CUDA_SIMULATOR_TEARDOWN: '1' },
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('refuses a driver of an earlier major version', () => {
    const code =
      'import ctypes, sys; cudart = ctypes.CDLL(sys.argv[1]); count = ctypes.c_int(); ' +
      'print(cudart.cudaGetDeviceCount(ctypes.byref(count)), cudart.cudaFree(None), cudart.cudaGetDevice(ctypes.byref(count)))';
    const answered = (version: number) =>
      execFileSync('python3', ['-c', code, libraryOf(major)], {
        encoding: 'utf8',
        env: { ...environmentOf(major), CUDA_SIMULATOR_DRIVER_VERSION: `${version}` },
      });
    expect(answered(major * 1000 - 10)).toBe('35 35 35\n');
    expect(answered(major * 1000)).toBe('0 0 0\n');
  });

  it('exports what cuda_runtime_api.h declares, under the version that programs ask for', () => {
    const exported = exportsOf(major);
    expect(exported.filter(({ version }) => version !== `libcudart.so.${major}`)).toEqual([]);
    const names = new Set(exported.map(({ name }) => name));
    expect(declaredIn(major).filter((name) => !names.has(name))).toEqual([]);
    expect([...names].filter((name) => !isKnown(name))).toEqual([]);
  });
});

it('has as many functions as its README says', () => {
  const [stated] = /They have[^:]+/.exec(read('../README.md')) ?? [];
  const of = (count: (names: string[], works: string[], perThread: string[]) => number) => {
    const [first, second] = [12, 13].map((major) => {
      const names = declaredIn(major);
      const works = names.filter((name) => !refused.has(name));
      return count(
        names,
        works,
        works.filter((name) => /_pt[ds][sz]$/.test(name)),
      );
    });
    return `${first} and ${second}`;
  };
  expect(stated?.replaceAll(/\s+/g, ' ')).toBe(
    `They have ${of((_, works, perThread) => works.length - perThread.length)} functions of \`cuda_runtime_api.h\`, and ` +
      `${of((_, __, perThread) => perThread.length)} of them also under the names for per-thread default streams. ` +
      `${of((names, works) => names.length - works.length)} more names refuse`,
  );
});
