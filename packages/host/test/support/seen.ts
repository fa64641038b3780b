import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What a thread's stack takes of the address space: see programs/address-space.mjs. */
const STACK = `--stack=${256 << 20}`;

const refusing = fileURLToPath(
  new URL('../../build/Release/test/refusing_system.so', import.meta.url),
);
/** Lets a program have the system refuse threads. */
const LD_PRELOAD = [process.env['LD_PRELOAD'], refusing].filter(Boolean).join(':');

/** What a program of programs/ says that it saw. */
export function seen(name: string, ...args: string[]) {
  const program = fileURLToPath(new URL(`../programs/${name}.mjs`, import.meta.url));
  const command = [STACK, process.execPath, program, ...args];
  const env = { ...process.env, LD_PRELOAD, MALLOC_ARENA_MAX: '1' }; // each of them takes 64 MiB
  return JSON.parse(execFileSync('prlimit', command, { encoding: 'utf8', env }));
}
