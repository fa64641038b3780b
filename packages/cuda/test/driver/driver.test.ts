import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cuda } from '@array-interface/cuda';
import { describe, expect, onTestFinished, test } from 'vitest';
import { childAnswer } from '../support/child.js';

const refusingDriver = fileURLToPath(
  new URL('../../build/Release/test/refusing_driver.so', import.meta.url),
);

interface Refusal {
  readonly availability: {
    readonly available: boolean;
    readonly reason: string;
    readonly tried: readonly string[];
    readonly remedy: string;
  };
  readonly error: { readonly code: string; readonly message: string };
}

/** What a process says whose driver cannot be used. */
function refusal(libcuda: string | undefined, how = ''): Promise<Refusal> {
  return childAnswer<Refusal>(
    `import { cuda } from '@array-interface/cuda';
    const { availability } = cuda;
    let error;
    try { cuda.empty([1], 'uint8'); } catch ({ code, message }) { error = { code, message }; }
    console.log(JSON.stringify({ availability, error }));`,
    { ARRAY_INTERFACE_LIBCUDA: libcuda, REFUSING_DRIVER: how, LD_LIBRARY_PATH: undefined },
  );
}

describe('driver', () => {
  test('names the library and its version', () => {
    const { availability } = cuda;
    if (!availability.available) throw new Error(availability.reason);
    expect(availability.library).toMatch(/libcuda\.so/);
    expect(availability.version).toMatch(/^1[1-9]\.\d+$/);
    for (const { type, driverVersion } of cuda.devices()) {
      expect(type).toBe('gpu');
      expect(driverVersion).toBe(availability.version);
    }
  });

  test('a missing one: the error says what was tried, the loader’s message and the remedy', async () => {
    const { availability, error } = await refusal('/nowhere/libcuda.so.1');
    expect(availability.available).toBe(false);
    expect(availability.tried).toEqual([
      expect.stringMatching(/^\/nowhere\/libcuda\.so\.1: .*No such file/),
    ]);
    expect(availability.remedy).toContain('NVIDIA driver 460 (CUDA 11.2) or later');
    expect(availability.remedy).toContain('npx cuda-simulator');
    expect(error.code).toBe('ERR_BACKEND_UNAVAILABLE');
    for (const part of ['/nowhere/libcuda.so.1', 'NVIDIA driver', 'npx cuda-simulator']) {
      expect(error.message).toContain(part);
    }
  });

  test('one that another user could change is not loaded', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'driver-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const library = join(folder, 'libcuda.so.1');
    copyFileSync(refusingDriver, library);
    chmodSync(library, 0o777);
    const { availability } = await refusal(library);
    expect(availability.reason).toBe(
      `ARRAY_INTERFACE_LIBCUDA names a library that is not loaded: ${library} may be written by ` +
        `every user; run chmod o-w ${library} if you trust what is there`,
    );
    expect(availability.tried).toEqual([library]);
  });

  test('a library that is not a CUDA driver', async () => {
    const { availability, error } = await refusal('libm.so.6');
    expect(availability.reason).toContain('cuDriverGetVersion');
    expect(error.code).toBe('ERR_BACKEND_UNAVAILABLE');
  });

  test('one that is older than 11.2', async () => {
    const { availability, error } = await refusal(refusingDriver, 'old');
    expect(availability.reason).toMatch(/11\.2 or later, got .* 11\.1/);
    expect(error.code).toBe('ERR_BACKEND_UNAVAILABLE');
  });

  test('one that does not start: its error has a number if it has no name', async () => {
    const { availability } = await refusal(refusingDriver, 'init');
    expect(availability.reason).toContain('cuInit');
    expect(availability.reason).toContain('CUDA_ERROR_12345');
  });

  test('one without a device', async () => {
    const { availability } = await refusal(refusingDriver, 'empty');
    expect(availability.reason).toContain('at least one CUDA device');
  });

  test('one that lacks a function: an error names it, and nothing crashes', async () => {
    const { availability, error } = await refusal(refusingDriver);
    expect(availability.available).toBe(true);
    expect(error.code).toBe('ERR_CUDA');
    expect(error.message).toMatch(/driver with cuDeviceGet, got one without/);
  });

  test('loading is tried again once the variable names another file', async () => {
    const answers = await childAnswer<boolean[]>(
      `import { cuda } from '@array-interface/cuda';
      const good = process.env.ARRAY_INTERFACE_LIBCUDA ?? 'libcuda.so.1';
      const answers = [];
      for (const file of ['/nowhere/one', '/nowhere/one', good, '/nowhere/two']) {
        process.env.ARRAY_INTERFACE_LIBCUDA = file;
        answers.push(cuda.availability.available);
      }
      console.log(JSON.stringify(answers));`,
    );
    expect(answers).toEqual([false, false, true, true]);
  });

  test('importing the package loads no driver', async () => {
    const mapped = await childAnswer<boolean[]>(
      `import { readFileSync } from 'node:fs';
      import { cuda } from '@array-interface/cuda';
      const isMapped = () => readFileSync('/proc/self/maps', 'utf8').includes('libcuda.so');
      console.log(JSON.stringify([isMapped(), cuda.availability.available, isMapped()]));`,
    );
    expect(mapped).toEqual([false, true, true]);
  });

  test('a missing addon is a result, too', async () => {
    const answer = await childAnswer<Refusal>(
      `import { cuda } from '@array-interface/cuda';
      let error;
      try { cuda.devices(); } catch ({ code, message }) { error = { code, message }; }
      console.log(JSON.stringify({ availability: cuda.availability, error }));`,
      { ARRAY_INTERFACE_ADDON_DIR: '/nowhere' },
    );
    expect(answer.availability.tried).toEqual(['/nowhere/cuda.node']);
    expect(answer.availability.remedy).toContain('ARRAY_INTERFACE_ADDON_DIR');
    expect(answer.error.code).toBe('ERR_BACKEND_UNAVAILABLE');
  });
});
