import { readFileSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

// The watching thread for the tests of one file; watchdog.mjs starts it.
const { pulse, text, silence, pulseMs } = workerData;
/**
 * A test is ended after this many times the silence after which it is named: one that only computes
 * looks blocked, too.
 */
const PATIENCE = 5;
/**
 * A test that waits for a program it started, such as a compiler or other tests, may take longer.
 */
const WITH_PROGRAM = 4;

/** Whether the tests' thread is waiting for a program that it started. */
function hasProgram() {
  try {
    return readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8') !== '';
  } catch {
    return false;
  }
}

function say(what, ms) {
  const where = new TextDecoder().decode(text.slice()).replaceAll('\0', '');
  writeSync(2, `\n${what} for ${ms / 1000} s: ${where}\n`);
}

let seen = Atomics.load(pulse, 0);
let test = Atomics.load(pulse, 1);
let silent = 0;
let waiting = 0;
while (true) {
  await new Promise((resolve) => setTimeout(resolve, pulseMs));
  const now = Atomics.load(pulse, 0);
  silent = now === seen ? silent + pulseMs : 0;
  seen = now;
  waiting = test === Atomics.load(pulse, 1) ? waiting + pulseMs : 0;
  test = Atomics.load(pulse, 1);
  if (waiting === silence) say('No test has begun or ended', waiting);
  if (silent < silence) continue;
  const isWaiting = hasProgram();
  if (silent === silence && !isWaiting) say('The event loop has stood still', silent);
  if (silent < silence * PATIENCE * (isWaiting ? WITH_PROGRAM : 1)) continue;
  say('Ended, since the event loop has stood still', silent);
  process.kill(process.pid, 'SIGKILL');
}
