import { expect, test } from 'vitest';
import { childAnswer } from '../support/child.js';

// A real GPU answers a query at once, as the eager schedule does; the lazy one does the work in it.
test('polling an event is one call, and thousands of waits are one poll', async () => {
  const [queries, ...others] = await childAnswer<number[]>(
    `import { createRequire } from 'node:module';
    import { setTimeout as pause } from 'node:timers/promises';
    import { cuda } from '@array-interface/cuda';
    const probe = createRequire(process.cwd() + '/')('./build/Release/test/driver_probe.node');
    const NAMES = ['cuEventQuery', 'cuCtxGetCurrent', 'cuCtxPushCurrent', 'cuCtxPopCurrent',
      'cuThreadExchangeStreamCaptureMode'];
    const stream = cuda.createStream();
    await cuda.whenKernelsReady();
    probe.makeCurrent(0);
    const release = probe.hold(stream.handle);
    const waits = Array.from({ length: 2000 }, () => stream.record().synchronize());
    await pause(100);
    const before = NAMES.map((name) => probe.calls(name));
    await pause(400);
    const calls = NAMES.map((name, i) => probe.calls(name) - before[i]);
    release();
    await Promise.all(waits);
    console.log(JSON.stringify(calls));`,
    { CUDA_SIMULATOR_SCHEDULE: 'eager' },
  );
  expect(queries).toBeGreaterThan(50); // every 1.5 ms
  expect(queries).toBeLessThan(800);
  for (const count of others) expect(count).toBeLessThan(20);
});
