import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Returns what a program of `programs` prints in a new process, which is JSON. */
export async function printed(name, args = [], env = {}) {
  const program = fileURLToPath(new URL(`../programs/${name}.mjs`, import.meta.url));
  const options = { env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], options);
  return JSON.parse(stdout);
}
