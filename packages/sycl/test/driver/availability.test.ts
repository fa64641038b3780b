import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Availability } from '@array-interface/core/backend';
import { sharedRuntime, sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import { runProgram } from '../support/program.js';

const SHOW = 'console.log(JSON.stringify(sycl.availability));';
const TRY = `try { sycl.empty([1], 'float32'); } catch ({ code, message }) {
  console.log(JSON.stringify({ code, message }));
}`;

test('a runtime with a device is available, so this suite skips nothing', () => {
  expect(sycl.availability).toMatchObject({ available: true });
  const { available } = sycl.availability;
  if (!available) return;
  expect(sycl.availability.library).toMatch(/^\/.*libDPCTLSyclInterface\.so$/);
  expect(sycl.availability.version).toMatch(/^\d+\.\d+/);
});

test('importing loads nothing', async () => {
  const maps = `import { readFileSync } from 'node:fs';
    const has = () => /libsycl|DPCTL/.test(readFileSync('/proc/self/maps', 'utf8'));
    const before = has(); sycl.availability; console.log(before, has());`;
  expect((await runProgram(maps)).stdout).toBe('false true');
});

test('a missing library', async () => {
  const env = { ARRAY_INTERFACE_DPCTL_LIBRARY: '/nowhere/libDPCTLSyclInterface.so' };
  const answer = JSON.parse((await runProgram(SHOW, { env })).stdout);
  expect(answer).toMatchObject({ available: false, reason: 'no SYCL runtime was found' });
  expect(answer.tried).toEqual([
    'ARRAY_INTERFACE_DPCTL_LIBRARY: /nowhere/libDPCTLSyclInterface.so does not exist',
  ]);
  expect(answer.remedy).toContain('array-interface setup sycl');
  const error = JSON.parse((await runProgram(TRY, { env })).stdout);
  expect(error.code).toBe('ERR_BACKEND_UNAVAILABLE');
  expect(error.message).toContain('got none: no SYCL runtime was found (tried ');
  expect(error.message).toContain('/nowhere/libDPCTLSyclInterface.so does not exist');
  expect(error.message).toContain('array-interface setup sycl');
});

test('asynchronous functions reject, and do not throw', async () => {
  const env = { ARRAY_INTERFACE_DPCTL_LIBRARY: '/nowhere/libDPCTLSyclInterface.so' };
  const program = `const waits = [sycl.synchronize(), sycl.whenKernelsReady(), sycl.releaseCached()];
    const ended = await Promise.allSettled(waits);
    console.log(ended.map(({ reason }) => reason.code).join());`;
  expect((await runProgram(program, { env })).stdout).toBe(
    Array(3).fill('ERR_BACKEND_UNAVAILABLE').join(),
  );
});

test('a file that is not a library, and a library that is not dpctl', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'availability-'));
  const text = join(folder, 'text.so');
  writeFileSync(text, 'not a library');
  const other = process.report.getReport() as { sharedObjects: string[] };
  const libc = other.sharedObjects.find((one) => /libc\.so/.test(one)) as string;
  for (const [library, why] of [
    [text, /invalid ELF header|file too short/],
    [libc, /lacks DPCTLService_GetDPCPPVersion/],
  ] as const) {
    const env = { ARRAY_INTERFACE_DPCTL_LIBRARY: library };
    const answer = JSON.parse((await runProgram(SHOW, { env })).stdout);
    expect(answer.available).toBe(false);
    expect(answer.tried[0]).toMatch(why);
  }
  rmSync(folder, { recursive: true });
});

test('a runtime without a device says so', async () => {
  const env = { OCL_ICD_FILENAMES: '/nowhere/driver.so', ONEAPI_DEVICE_SELECTOR: 'level_zero:gpu' };
  const { stdout } = await runProgram(SHOW, { env });
  const answer = JSON.parse(stdout.split('\n').at(-1) as string);
  const reason = 'a SYCL runtime was found but it has no device';
  expect(answer).toMatchObject({ available: false, reason });
  expect(answer.remedy).toContain('intel-opencl-rt');
  expect(answer.tried[0]).toBe('this process: it has loaded no dpctl');
  expect(answer.tried[1]).toContain('ONEAPI_DEVICE_SELECTOR allows only level_zero:gpu');
  expect(answer.tried[1]).toContain(
    'OCL_ICD_FILENAMES is /nowhere/driver.so, which does not exist',
  );
});

test('the OpenCL driver beside the library is found without any variable', async () => {
  const env = { OCL_ICD_FILENAMES: undefined, OCL_ICD_VENDORS: undefined };
  expect(JSON.parse((await runProgram(SHOW, { env })).stdout).available).toBe(true);
});

test('an addon that was not built is a result', async () => {
  const env = { ARRAY_INTERFACE_ADDON_DIR: '/nowhere' };
  const answer = JSON.parse((await runProgram(SHOW, { env })).stdout);
  const reason = 'the sycl addon at /nowhere/sycl.node cannot be loaded: there is no such file';
  expect(answer).toMatchObject({ available: false, reason, tried: ['/nowhere/sycl.node'] });
  expect(answer.remedy).toContain('ARRAY_INTERFACE_ADDON_DIR');
});

/** Installs the package in a folder, outside this checkout and so without its runtime; its entry. */
function install(folder: string): string {
  const modules = join(folder, 'node_modules/@array-interface');
  const here = join(import.meta.dirname, '../..');
  for (const part of ['package.json', 'dist']) {
    cpSync(join(here, part), join(modules, 'sycl', part), { recursive: true });
  }
  symlinkSync(join(here, '../core'), join(modules, 'core'));
  return join(modules, 'sycl/dist/index.js');
}

/** The answer of a package in a folder, run in that folder. */
async function answerIn(folder: string, entry: string): Promise<Availability> {
  const built = join(import.meta.dirname, '../../build/Release');
  const env = {
    ARRAY_INTERFACE_ADDON_DIR: process.env['ARRAY_INTERFACE_ADDON_DIR'] || built,
    ARRAY_INTERFACE_DPCTL_LIBRARY: undefined,
    CONDA_PREFIX: undefined,
    VIRTUAL_ENV: undefined,
    XDG_CACHE_HOME: join(folder, 'cache'),
  };
  const program = `import { sycl as installed } from ${JSON.stringify(entry)};
    process.chdir(${JSON.stringify(folder)});
    console.log(JSON.stringify(installed.availability));`;
  return JSON.parse((await runProgram(program, { env })).stdout);
}

test("the runtime in the user's cache is found; if there is none, that folder is named", async () => {
  if (!sycl.availability.available) throw new Error(sycl.availability.reason);
  const { library } = sycl.availability;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'availability-')));
  const shared = sharedRuntime({ XDG_CACHE_HOME: join(folder, 'cache') }) as string;
  const entry = install(folder);
  const before = await answerIn(folder, entry);
  expect(before).toMatchObject({ available: false, reason: 'no SYCL runtime was found' });
  expect(before).toHaveProperty(
    'tried',
    expect.arrayContaining([`the user's cache: no dpctl in ${shared}`]),
  );
  const dpctl = join(shared, 'lib/python3.11/site-packages/dpctl');
  mkdirSync(dpctl, { recursive: true });
  symlinkSync(library, join(dpctl, 'libDPCTLSyclInterface.so'));
  expect(await answerIn(folder, entry)).toMatchObject({ available: true, library });
  rmSync(folder, { recursive: true });
});

test.each([
  ["Object.defineProperty(process, 'arch', { value: 'arm64' })", 'linux arm64 with glibc'],
  ['process.report.getReport = () => ({ header: {} })', `linux ${process.arch} with musl`],
  ["Object.defineProperty(process, 'platform', { value: 'darwin' })", `darwin ${process.arch}`],
])('if %s, the result is that no runtime exists there', async (pretence, here) => {
  for (const env of [
    { ARRAY_INTERFACE_ADDON_DIR: '/nowhere' },
    { ARRAY_INTERFACE_DPCTL_LIBRARY: '/nowhere/libDPCTLSyclInterface.so' },
  ]) {
    const answer = JSON.parse((await runProgram(`${pretence};${SHOW}`, { env })).stdout);
    expect(answer).toMatchObject({
      available: false,
      reason: `dpctl's runtime exists for linux x64 with glibc only, but this is ${here}`,
      tried: [expect.stringContaining('/nowhere')],
      remedy: expect.stringContaining('use the host or the CUDA backend here'),
    });
  }
});

test('an existing runtime is used all the same', async () => {
  const pretence = 'process.report.getReport = () => ({ header: {} });';
  expect(JSON.parse((await runProgram(pretence + SHOW)).stdout).available).toBe(true);
});
