import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// seen.ts starts the programs with stacks of 256 MiB for new threads. So there can be room for V8, which
// ends the process if it gets none, and still none for a thread.
const ROOM = 64 << 20;

function limit(bytes) {
  execFileSync('prlimit', [`--pid=${process.pid}`, `--as=${bytes}:`]);
}

/** Leaves no address space for the stack of another thread. */
export function refuseThreads() {
  const pages = Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[0]);
  limit(pages * 4096 + ROOM);
}

export function allowThreads() {
  limit('unlimited');
}
