import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import { runProgram } from './program.js';

const SHOW = 'console.log(JSON.stringify(sycl.availability));';
const TRY = `try { sycl.empty([1], 'float32'); } catch ({ code, message }) {
  console.log(JSON.stringify({ code, message }));
}`;

test('a runtime with a device is there: nothing of this suite is skipped', () => {
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

test('a library that is not there', async () => {
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

test('what is asked for as a promise rejects, rather than throws', async () => {
  const env = { ARRAY_INTERFACE_DPCTL_LIBRARY: '/nowhere/libDPCTLSyclInterface.so' };
  const program = `const waits = [sycl.synchronize(), sycl.kernelsBuilt(), sycl.releaseCached()];
    const ended = await Promise.allSettled(waits);
    console.log(ended.map(({ reason }) => reason.code).join());`;
  expect((await runProgram(program, { env })).stdout).toBe(
    Array(3).fill('ERR_BACKEND_UNAVAILABLE').join(),
  );
});

test('a file that is no library, and a library that is not dpctl', async () => {
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
  expect(answer.tried[0]).toContain('ONEAPI_DEVICE_SELECTOR allows only level_zero:gpu');
  expect(answer.tried[0]).toContain(
    'OCL_ICD_FILENAMES is /nowhere/driver.so, which does not exist',
  );
});

test('the OpenCL driver beside the library is found without any variable', async () => {
  const env = { OCL_ICD_FILENAMES: undefined, OCL_ICD_VENDORS: undefined };
  expect(JSON.parse((await runProgram(SHOW, { env })).stdout).available).toBe(true);
});

test('an addon that was not built is an answer', async () => {
  const env = { ARRAY_INTERFACE_ADDON_DIR: '/nowhere' };
  const answer = JSON.parse((await runProgram(SHOW, { env })).stdout);
  expect(answer).toMatchObject({ available: false, reason: 'the SYCL addon cannot be loaded' });
  expect(answer.tried[0]).toContain('npm run setup');
  expect(answer.remedy).toContain('npm run setup');
});
