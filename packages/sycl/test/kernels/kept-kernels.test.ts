import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ANOTHER_USER, canPlayTwoUsers } from '@array-interface/foreign';
import {
  afterAll,
  afterEach,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { ownKernelFolder } from '../../src/driver/kernel-folder.js';
import { type RunOptions, runProgram } from '../support/program.js';

const built =
  process.env['ARRAY_INTERFACE_ADDON_DIR'] || path.join(import.meta.dirname, '../../build/Release');
const DRIVER = path.join(built, 'test/opencl_driver.node');

let cache = '';
let folder = '';
beforeEach(() => {
  cache = mkdtempSync(path.join(tmpdir(), 'kept-kernels-'));
  folder = path.join(cache, 'array-interface/sycl-kernels');
});
afterEach(() => rmSync(cache, { recursive: true }));

const kernels = () => readdirSync(folder).filter((name) => name.endsWith('.kernel'));
const theKernel = () => path.join(folder, kernels()[0] as string);

describe('the runtime', () => {
  /** A copy that permutes axes and converts, and all kernels that it requests. */
  const COPY = `
    import { native } from './native.mjs';
    const source = await sycl.array(Float32Array.from({ length: 4096 }, (_, i) => i), { shape: [64, 64] });
    const copy = sycl.empty([64, 64], 'float64');
    await sycl.copy(copy, source.transpose());
    await sycl.whenKernelsReady();
    await sycl.copy(copy, source.transpose());
    const values = await sycl.toTypedArray(copy);
    const right = values.every((value, i) => value === (i % 64) * 64 + Math.floor(i / 64));
    console.log(JSON.stringify({ right, layers: process.env.OPENCL_LAYERS, ...native.builds() }));`;

  interface Answer {
    readonly right: boolean;
    readonly areKept: boolean;
    readonly compiled: number;
    readonly found: number;
    readonly layers?: string;
  }

  async function answer(env: RunOptions['env'] = {}): Promise<Answer> {
    const all = { XDG_CACHE_HOME: cache, ARRAY_INTERFACE_KERNEL_CACHE: undefined, ...env };
    const { status, stdout, stderr } = await runProgram(COPY, { env: all });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  test('compiles nothing in a second process, and copies the same values', async () => {
    const first = await answer();
    expect(first).toMatchObject({ right: true, areKept: true, found: 0 });
    expect(first.compiled).toBeGreaterThan(1);
    expect(kernels()).toHaveLength(first.compiled);
    const second = await answer();
    expect(second).toEqual({ right: true, areKept: true, compiled: 0, found: first.compiled });
  });

  test('compiles again with other settings of its compiler', async () => {
    const { compiled } = await answer();
    expect(await answer({ CL_CONFIG_CPU_VECTORIZER_MODE: '1' })).toMatchObject({
      right: true,
      compiled,
      found: 0,
    });
  });

  test('compiles damaged kernels again, and keeps the result', async () => {
    const { compiled } = await answer();
    for (const name of kernels()) truncateSync(path.join(folder, name), 5000);
    expect(await answer()).toMatchObject({ right: true, compiled, found: 0 });
    expect(await answer()).toMatchObject({ right: true, compiled: 0, found: compiled });
  });

  test('works in two processes that fill it at once', async () => {
    const both = await Promise.all([answer(), answer()]);
    for (const one of both) expect(one).toMatchObject({ right: true });
    expect(await answer()).toMatchObject({ right: true, compiled: 0 });
  });

  test('keeps nothing if the variable says so', async () => {
    expect(await answer({ ARRAY_INTERFACE_KERNEL_CACHE: '0' })).toMatchObject({
      right: true,
      areKept: false,
    });
    expect(readdirSync(cache)).toEqual([]);
  });

  test.each<[string, () => void]>([
    ['may be written by others', () => chmodSync(folder, 0o777)],
    ['may be read by others', () => chmodSync(folder, 0o755)],
    [
      'is a link',
      () => [renameSync(folder, `${folder}-there`), symlinkSync(`${folder}-there`, folder)],
    ],
    ['is a file', () => [rmSync(folder, { recursive: true }), writeFileSync(folder, '')]],
    ['lies in a folder that others may write', () => chmodSync(path.dirname(folder), 0o777)],
  ])('keeps and finds nothing if the folder %s', async (_, spoil) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    spoil();
    expect(await answer()).toMatchObject({ right: true, areKept: false });
  });

  test('keeps nothing if no folder can be created, as in a read-only home', async () => {
    const readOnly = '/sys'; // for root, too
    expect(await answer({ XDG_CACHE_HOME: readOnly })).toMatchObject({
      right: true,
      areKept: false,
    });
  });

  test.each<'getegid' | 'geteuid'>(['getegid', 'geteuid'])(
    'a process whose %s is not its starter’s has no folder',
    (asked) => {
      const env = { XDG_CACHE_HOME: cache };
      vi.spyOn(process, asked).mockReturnValue(ANOTHER_USER);
      onTestFinished(() => void vi.restoreAllMocks());
      expect(ownKernelFolder(env)).toBe('');
      expect(readdirSync(cache)).toEqual([]);
      vi.restoreAllMocks();
      expect(ownKernelFolder(env)).toBe(folder);
    },
  );

  test('restores the layers that the variable named before', async () => {
    expect(await answer({ OPENCL_LAYERS: '/nowhere.so' })).toMatchObject({
      areKept: true,
      layers: '/nowhere.so',
    });
  });
});

/** A driver of the tests' own below the layer. */
interface Driver {
  start(folder: string, most: number): boolean;
  /** Answers to four loaders that lack something, and to one that does not. */
  offers(): readonly number[];
  tell(told: Readonly<Record<string, string | number>>): void;
  build(module: string): string | null;
  buildAtOnce(modules: readonly string[]): number;
  builds(): { readonly compiled: number; readonly found: number };
}

const driver: Driver = createRequire(import.meta.url)(DRIVER);
/** CL_INVALID_VALUE */
const INVALID_VALUE = -30;

test('if nothing is kept there is no layer, whatever a loader offers', () => {
  expect(driver.offers()).toEqual(Array(5).fill(INVALID_VALUE)); // as if the user's OPENCL_LAYERS names the addon
});

describe('the layer', () => {
  const MOST = 100_000;
  const own = mkdtempSync(path.join(tmpdir(), 'kept-kernels-'));
  afterAll(() => rmSync(own, { recursive: true }));
  beforeEach(() => {
    folder = own;
    for (const name of readdirSync(own)) rmSync(path.join(own, name), { recursive: true });
    expect(driver.start(own, MOST)).toBe(true);
    driver.tell({});
  });

  /** Whether a build, which returns what the compiler would, compiled a kernel or found it cached. */
  function counted(module: string, options = ''): 'compiled' | 'found' {
    const before = driver.builds();
    expect(driver.build(module)).toBe(`compiled ${module}${options}`);
    const { compiled, found } = driver.builds();
    expect(compiled - before.compiled + (found - before.found)).toBe(1);
    return compiled > before.compiled ? 'compiled' : 'found';
  }

  test('is passed to a loader that has all that it needs', () => {
    expect(driver.offers()).toEqual([...Array(4).fill(INVALID_VALUE), 0]);
  });

  test('finds what it kept', () => {
    expect(counted('a')).toBe('compiled');
    expect(counted('a')).toBe('found');
    expect(statSync(theKernel()).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['another driver', { version: '2' }],
    ['another device', { name: 'another processor' }],
  ])('compiles again for %s', (_, told) => {
    counted('a');
    driver.tell(told);
    expect(counted('a')).toBe('compiled');
    driver.tell({});
    expect(counted('a')).toBe('found');
  });

  test.each<[string, Record<string, string | number>]>([
    ['of a GPU', { type: 4 }],
    ['in a context of two devices', { devices: 2 }],
    ['for a driver that does not say its version', { version: '' }],
  ])('keeps nothing %s', (_, told) => {
    driver.tell(told);
    expect(counted('a')).toBe('compiled');
    expect(kernels()).toEqual([]);
  });

  test('neither keeps nor uses anything for a build with options', () => {
    driver.tell({ options: ' -fast' });
    expect(counted('a', ' -fast')).toBe('compiled');
    expect(kernels()).toEqual([]);
    driver.tell({});
    counted('a');
    driver.tell({ options: ' -fast' });
    expect(counted('a', ' -fast')).toBe('compiled');
    driver.tell({});
    expect(counted('a')).toBe('found');
  });

  test.each([
    ['binary', { refusesBinaries: 1 }],
    ['build of what was kept', { refusesKeptBuilds: 1 }],
  ])('compiles again if the driver refuses a %s', (_, told) => {
    counted('a');
    driver.tell(told);
    expect(counted('a')).toBe('compiled');
    driver.tell({});
    expect(counted('a')).toBe('found');
  });

  test('keeps nothing of what the compiler refuses', () => {
    driver.tell({ refusesAll: 1 });
    expect(driver.build('a')).toBe(null);
    expect(kernels()).toEqual([]);
  });

  /** Changes one byte of a file. */
  function flip(at: number): void {
    const bytes = readFileSync(theKernel());
    const index = at < 0 ? bytes.length + at : at;
    bytes[index] = (bytes[index] as number) ^ 1;
    writeFileSync(theKernel(), bytes);
  }

  test.each<[string, () => void]>([
    ['empty', () => truncateSync(theKernel(), 0)],
    ['short by a byte', () => truncateSync(theKernel(), statSync(theKernel()).size - 1)],
    ['cut in its header', () => truncateSync(theKernel(), 12)],
    ['longer', () => writeFileSync(theKernel(), 'x', { flag: 'a' })],
    ['of another format', () => flip(0)],
    ['of a key of another length', () => flip(8)],
    ['of a binary of another length', () => flip(16)],
    ['of another checksum', () => flip(24)],
    ['of another key', () => flip(40)],
    ['of another binary', () => flip(-1)],
    ['one that others may write', () => chmodSync(theKernel(), 0o666)],
    ['one with two names', () => linkSync(theKernel(), path.join(folder, 'second'))],
    [
      'a link',
      () => {
        const there = path.join(folder, 'there');
        const link = theKernel();
        renameSync(link, there);
        symlinkSync(there, link);
      },
    ],
  ])('does not use a file that is %s, and replaces it', (_, spoil) => {
    counted('a');
    spoil();
    expect(counted('a')).toBe('compiled');
    expect(counted('a')).toBe('found');
  });

  // Needs root, as in CI: a file of another user takes two users.
  test.runIf(canPlayTwoUsers)("does not use another user's file, and replaces it", () => {
    counted('a');
    chownSync(theKernel(), ANOTHER_USER, ANOTHER_USER);
    expect(counted('a')).toBe('compiled');
    expect(counted('a')).toBe('found');
  });

  test('compiles if a folder or a pipe is in the way', () => {
    counted('a');
    const name = theKernel();
    rmSync(name);
    mkdirSync(name);
    expect([counted('a'), counted('a')]).toEqual(['compiled', 'compiled']);
    rmSync(name, { recursive: true });
    expect(spawnSync('mkfifo', [name]).status).toBe(0);
    expect([counted('a'), counted('a')]).toEqual(['compiled', 'found']);
  });

  test('removes the least recently used ones', () => {
    const module = (letter: string) => letter.repeat(MOST / 10); // four fit, with their keys
    counted(module('a'));
    const [used] = kernels();
    counted(module('b'));
    const unused = kernels().find((name) => name !== used);
    for (const name of kernels()) utimesSync(path.join(folder, name), 1, 1);
    expect(counted(module('a'))).toBe('found');
    for (const letter of ['c', 'd', 'e']) counted(module(letter));
    expect(kernels()).toContain(used);
    expect(kernels()).not.toContain(unused);
    const sizes = kernels().map((name) => statSync(path.join(folder, name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MOST);
  });

  test('keeps nothing if nothing more can be written, as on a full disk', async () => {
    const program = `
      import { createRequire } from 'node:module';
      const driver = createRequire(import.meta.url)(${JSON.stringify(DRIVER)});
      driver.start(${JSON.stringify(own)}, ${MOST});
      console.log(driver.build('a'.repeat(20_000)).length);`;
    const { stdout, stderr } = await runProgram(program, { largestFile: 8 });
    expect({ stdout, stderr }).toEqual({ stdout: '20009', stderr: '' });
    expect(readdirSync(own)).toEqual([]);
  });

  test('keeps nothing that exceeds the total limit', () => {
    expect(counted('a'.repeat(MOST))).toBe('compiled');
    expect(kernels()).toEqual([]);
  });

  test("removes what an ended writer left, and leaves others' files", () => {
    for (const name of ['old.part', 'new.part', 'other.txt'])
      writeFileSync(path.join(folder, name), '');
    for (const name of ['old.part', 'other.txt']) utimesSync(path.join(folder, name), 1, 1);
    counted('a');
    expect(readdirSync(folder).sort()).toEqual([...kernels(), 'new.part', 'other.txt'].sort());
  });

  test('works on many threads at once', () => {
    const modules = Array.from({ length: 64 }, (_, i) => 'abcd'[i % 4] as string);
    for (let round = 0; round < 10; round++) expect(driver.buildAtOnce(modules)).toBe(64);
    expect(counted('a')).toBe('found');
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
