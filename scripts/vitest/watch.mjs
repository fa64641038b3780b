import { readFileSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

// The thread beside the tests of one file; see watchdog.mjs.
const { pulse, text, silence, pulseMs } = workerData;
/** A test that waits for a program of its own, as a compiler or other tests, may take longer. */
const WITH_PROGRAM = 20;

/** Whether the thread of the tests waits for a program that it started. */
function hasProgram() {
  try {
    return readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8') !== '';
  } catch {
    return false;
  }
}

let seen = Atomics.load(pulse, 0);
let silent = 0;
while (true) {
  await new Promise((resolve) => setTimeout(resolve, pulseMs));
  const now = Atomics.load(pulse, 0);
  silent = now === seen ? silent + pulseMs : 0;
  seen = now;
  if (silent < silence * (hasProgram() ? WITH_PROGRAM : 1)) continue;
  const what = new TextDecoder().decode(text.slice()).replaceAll('\0', '');
  writeSync(2, `\nThe event loop has stood still for ${silent / 1000} s in ${what}\n`);
  process.kill(process.pid, 'SIGKILL');
}
