import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { childAnswer, runChild } from '../support/child.js';

// Failures that the simulator plays: CUDA_SIMULATOR_FAIL=CALL:N[:ERROR] fails the n-th call.

interface Failure {
  readonly code: string;
  readonly driverCode: string;
  readonly driverNumber: number;
  readonly call: string;
  readonly message: string;
}

/** The error of `work`, in a process in which calls of the driver fail. */
function failureOf(fault: string, work: string): Promise<Failure> {
  return childAnswer<Failure>(
    `import { cuda } from '@array-interface/cuda';
    let error = { code: 'none' };
    try { ${work} } catch (caught) { error = caught; }
    const { code, driverCode, driverNumber, call, message } = error;
    console.log(JSON.stringify({ code, driverCode, driverNumber, call, message }));`,
    { CUDA_SIMULATOR_FAIL: fault },
  );
}

describe('driver calls that fail', () => {
  test('out of memory', async () => {
    const failure = await failureOf('cuMemAlloc:1', `cuda.empty([1], 'uint8');`);
    expect(failure).toMatchObject({
      code: 'ERR_OUT_OF_MEMORY',
      driverCode: 'CUDA_ERROR_OUT_OF_MEMORY',
      driverNumber: 2,
    });
    expect(failure.message).toContain('expected 1 bytes of device memory');
    expect(failure.message).toContain('dispose of arrays');
  });

  test('out of pinned memory for staging: the destination is unchanged and can be used', async () => {
    const probe = new URL('../../build/Release/test/driver_probe.node', import.meta.url);
    const answer = await childAnswer<{ code: string; values: number[] }>(
      `import { createRequire } from 'node:module';
      import { cuda } from '@array-interface/cuda';
      const { fail } = createRequire(import.meta.url)(${JSON.stringify(fileURLToPath(probe))});
      const size = 100_000; // more than is kept of the staging for one number
      const array = cuda.empty([size], 'uint8');
      await cuda.fill(array, 7);
      fail('cuMemHostAlloc:*');
      let code;
      try { await cuda.copy(array, new Uint8Array(size)); } catch (error) { code = error.code; }
      fail('');
      const values = [...new Set(await cuda.toTypedArray(array))];
      console.log(JSON.stringify({ code, values }));`,
    );
    expect(answer).toEqual({ code: 'ERR_OUT_OF_MEMORY', values: [7] });
  });

  test('out of pinned memory that pending copies use: they are waited for', async () => {
    const answer = await childAnswer<number[]>(
      `import { cuda } from '@array-interface/cuda';
      const array = await cuda.array(Uint8Array.of(1, 2, 3));
      await cuda.copy(array, Uint8Array.of(4, 5, 6));
      console.log(JSON.stringify([...await cuda.toTypedArray(array)]));`,
      { CUDA_SIMULATOR_FAIL: 'cuMemHostAlloc:2' },
    );
    expect(answer).toEqual([4, 5, 6]);
  });

  test('a query', async () => {
    const failure = await failureOf('cuEventQuery:1', 'cuda.createStream().record().query();');
    expect(failure).toMatchObject({ code: 'ERR_CUDA', call: 'cuEventQuery' });
  });

  test.each(['*', '1', '7'])(
    'cuCtxPopCurrent:%s: the caller’s context is current all the same',
    async (which) => {
      const answer = await childAnswer<readonly unknown[]>(
        `import { createRequire } from 'node:module';
      import { cuda } from '@array-interface/cuda';
      const probe = createRequire(process.cwd() + '/')('./build/Release/test/driver_probe.node');
      const everything = async () => {
        for (let i = 0; i < 40; i++) { // a stack of contexts that grew would be full
          const array = await cuda.array(Uint8Array.of(1, 2, 3), { device: 0 });
          const flipped = cuda.empty([3], 'uint8', { device: 0 });
          await cuda.copy(flipped, array.flip());
          const stream = cuda.createStream({ device: 0 });
          await cuda.use(stream, { reads: [flipped] }, () => {});
          await cuda.toTypedArray(flipped);
          for (const one of [array, flipped, stream]) one[Symbol.dispose]();
        }
      };
      const found = [];
      cuda.devices();
      probe.fail('cuCtxPopCurrent:${which}:UNKNOWN');
      await everything();
      found.push(probe.currentContext() === 0n);
      probe.fail('');
      probe.makeCurrent(1);
      const current = probe.currentContext();
      probe.fail('cuCtxPopCurrent:${which}:UNKNOWN');
      await everything();
      found.push(probe.currentContext() === current);
      console.log(JSON.stringify(found));`,
      );
      expect(answer).toEqual([true, true]);
    },
  );

  test('no event for enqueued work: its memory is not reused while the work runs', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((nth) =>
        childAnswer<{ failed: boolean; values: number[] }>(
          `import { cuda } from '@array-interface/cuda';
          const [one, two] = [cuda.createStream(), cuda.createStream()];
          let failed = false;
          let values = [];
          try {
            const from = cuda.empty([1024], 'uint8', { queue: one });
            const to = cuda.empty([1024], 'uint8', { queue: two });
            await cuda.fill(from, 1);
            try { await cuda.toTypedArray(from); } catch { failed = true; }
            await new Promise((resolve) => setTimeout(resolve, 100));
            await cuda.copy(to, new Uint8Array(1024).fill(9));
            one.synchronizeSync();
            values = [...new Set(await cuda.toTypedArray(to))];
          } catch { failed = true; }
          console.log(JSON.stringify({ failed, values }));`,
          { CUDA_SIMULATOR_FAIL: `cuEventRecord:${nth}:UNKNOWN` },
        ),
      ),
    );
    // Five events are recorded. Only if the one after the abandoned read fails does the rest go on.
    const ended = { failed: true, values: [] };
    const wentOn = { failed: true, values: [9] };
    const unharmed = { failed: false, values: [9] };
    expect(answers).toEqual([ended, wentOn, ended, ended, ended, unharmed]);
  });

  test('a module without its kernel: it is unloaded, and the next copy loads another', async () => {
    const answer = await childAnswer<{ calls: number[]; values: number[] }>(
      `import { createRequire } from 'node:module';
      import { cuda } from '@array-interface/cuda';
      const probe = createRequire(process.cwd() + '/')('./build/Release/test/driver_probe.node');
      const array = await cuda.array(Uint8Array.of(1, 2, 3));
      const flipped = cuda.empty([3], 'uint8');
      await cuda.whenKernelsReady(); // two modules, of which the first has failed
      await cuda.copy(flipped, array.flip());
      const calls = ['cuModuleLoadDataEx', 'cuModuleUnload'].map((name) => probe.calls(name));
      const values = [...await cuda.toTypedArray(flipped)];
      console.log(JSON.stringify({ calls, values }));`,
      { CUDA_SIMULATOR_FAIL: 'cuModuleGetFunction:3:UNKNOWN' },
    );
    expect(answer).toEqual({ calls: [3, 1], values: [3, 2, 1] });
  });

  test('too much memory for the device', async () => {
    const failure = await childAnswer<Failure>(
      `import { cuda } from '@array-interface/cuda';
      const keep = [];
      try {
        for (let i = 0; i < 9; i++) keep.push(cuda.empty([1 << 20], 'uint8'));
      } catch ({ code, driverCode }) { console.log(JSON.stringify({ code, driverCode })); }`,
      { CUDA_SIMULATOR_MEMORY_MB: '8' },
    );
    expect(failure).toEqual({
      code: 'ERR_OUT_OF_MEMORY',
      driverCode: 'CUDA_ERROR_OUT_OF_MEMORY',
    });
  });

  test.each([
    ['cuStreamCreateWithPriority:1:CUDA_ERROR_UNKNOWN', `cuda.createStream();`],
    ['cuMemcpyAsync:1:CUDA_ERROR_UNKNOWN', `await cuda.array([1, 2]);`],
    ['cuModuleLoadDataEx:*:CUDA_ERROR_UNKNOWN', `await cuda.fill(cuda.empty([9], 'int32'), 1);`],
    ['cuLaunchKernel:1:CUDA_ERROR_UNKNOWN', `await cuda.fill(cuda.empty([9], 'int32'), 1);`],
    ['cuEventRecord:1:CUDA_ERROR_UNKNOWN', `await cuda.array([1, 2]);`],
    ['cuPointerGetAttributes:1:CUDA_ERROR_UNKNOWN', `cuda.inspectPointer(4096n);`],
  ])('%s', async (fault, work) => {
    const failure = await failureOf(fault, work);
    expect(failure).toMatchObject({
      code: 'ERR_CUDA',
      driverCode: 'CUDA_ERROR_UNKNOWN',
      driverNumber: 999,
      call: fault.split(':')[0],
    });
    expect(failure.message).toContain(`${failure.call} to succeed, got CUDA_ERROR_UNKNOWN`);
  });

  test('work that fails on the device reaches the promise that waits for it', async () => {
    const failure = await failureOf(
      'cuEventQuery:1:CUDA_ERROR_ILLEGAL_ADDRESS',
      `const array = cuda.empty([9], 'int32');
      await cuda.fill(array, 1);
      await array.synchronize();`,
    );
    expect(failure).toMatchObject({
      code: 'ERR_CUDA',
      driverCode: 'CUDA_ERROR_ILLEGAL_ADDRESS',
      driverNumber: 700,
      call: 'cuEventQuery',
    });
  });

  test('the oldest driver has all that is needed', async () => {
    const answer = await childAnswer<[string, number[]]>(
      `import { cuda } from '@array-interface/cuda';
      const array = await cuda.array(Uint8Array.of(1, 2, 3));
      const flipped = cuda.empty([3], 'uint8', { memoryKind: 'shared' });
      await cuda.copy(flipped, array.flip());
      const values = [...await cuda.toTypedArray(flipped)];
      console.log(JSON.stringify([cuda.availability.version, values]));`,
      { CUDA_SIMULATOR_DRIVER_VERSION: '11020' },
    );
    expect(answer).toEqual(['11.2', [3, 2, 1]]);
  });

  test('a driver that fails to start is unavailable, with its own error', async () => {
    const availability = await childAnswer<{ available: boolean; reason: string }>(
      `import { cuda } from '@array-interface/cuda';
      console.log(JSON.stringify(cuda.availability));`,
      { CUDA_SIMULATOR_FAIL: 'cuInit:1:CUDA_ERROR_UNKNOWN' },
    );
    expect(availability.available).toBe(false);
    expect(availability.reason).toContain('CUDA_ERROR_UNKNOWN');
  });

  test('memory that another library freed under a loan: an error, no crash', async () => {
    const { status, signal, stdout } = await runChild(
      `import { createRequire } from 'node:module';
      import { cuda } from '@array-interface/cuda';
      const probe = createRequire(import.meta.url)('./build/Release/test/driver_probe.node');
      cuda.devices();
      probe.makeCurrent(0);
      const pointer = probe.allocate(64);
      const dict = { shape: [64], typestr: '|u1', data: [pointer, false], version: 3 };
      const loan = cuda.asArray({ __cuda_array_interface__: dict });
      probe.free(pointer);
      try { await cuda.toTypedArray(loan); } catch ({ code, driverNumber }) {
        console.log(code, driverNumber > 0);
      }`,
    );
    expect({ status, signal }).toEqual({ status: 0, signal: null });
    expect(stdout).toBe('ERR_CUDA true\n');
  });
});

describe('the bytes of a registered buffer', () => {
  test.each([
    [null, 'collected'],
    ['cuMemHostUnregister:1', 'kept'],
    ['cuCtxPushCurrent:1', 'kept'],
  ])('if releasing fails by %s: %s', async (fault, expected) => {
    const outcome = await childAnswer<string>(
      `import { cuda, liveAllocations } from '@array-interface/cuda';
      import { createRequire } from 'node:module';
      import { setTimeout as pause } from 'node:timers/promises';
      const probe = createRequire(import.meta.url)('./build/Release/test/driver_probe.node');
      let buffer = new SharedArrayBuffer(64);
      const bytes = new WeakRef(buffer);
      let array = cuda.register(new Uint8Array(buffer));
      buffer = null;
      await array.synchronize();
      probe.fail(${JSON.stringify(fault === null ? '' : `${fault}:UNKNOWN`)});
      array[Symbol.dispose]();
      array = null;
      while (liveAllocations() > 0) await pause(1);
      probe.fail('');
      for (let i = 0; i < 20; i++) { globalThis.gc(); await pause(5); }
      console.log(JSON.stringify(bytes.deref() === undefined ? 'collected' : 'kept'));`,
      {},
      ['--expose-gc'],
    );
    expect(outcome).toBe(expected);
  });
});
