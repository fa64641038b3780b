import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect } from 'vitest';

// For `setupFiles`: names the test and the file if the event loop is blocked for a minute, in native
// code or in a loop, where no time limit of vitest works. Ends this process after five: on a busy
// machine a test that only computes may take more than one. Also names a test that waits for a
// minute; vitest's limit ends that one.
const SILENCE_MS = 60_000;
const PULSE_MS = 1000;

/** More random cases take longer, and so do sanitized tests. */
const factor =
  Math.max(1, Number(process.env.ARRAY_INTERFACE_RUNS || '1')) *
  (/lib[at]san/.test(process.env.LD_PRELOAD ?? '') ? 10 : 1);

/** Counts turns of the event loop and starts and ends of tests; and the latter alone. */
const pulse = new Int32Array(new SharedArrayBuffer(8));
const text = new Uint8Array(new SharedArrayBuffer(4096));

function note(what) {
  const { testPath } = expect.getState();
  text.fill(0);
  text.set(new TextEncoder().encode(`${testPath ?? 'a test file'}${what}`).slice(0, text.length));
  Atomics.add(pulse, 0, 1);
  Atomics.add(pulse, 1, 1);
}

note('');
beforeEach(({ task }) => note(` > ${task.name}`));
afterEach(({ task }) => note(`, after ${task.name}`));
setInterval(() => Atomics.add(pulse, 0, 1), PULSE_MS).unref();

const watching = new Worker(new URL('watch.mjs', import.meta.url), {
  workerData: { pulse, text, silence: SILENCE_MS * factor, pulseMs: PULSE_MS },
  execArgv: [],
  env: {},
});
watching.unref();
