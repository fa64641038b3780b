import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from './run.mjs';

// A file in which clang-tidy found no mistake is not looked at again while nothing of it changes: neither the
// file, nor what it includes, nor how it is compiled, nor what is looked for. This outlives a checkout, as
// ccache's memory does: most of the time goes into files that nobody touched.
const memory = path.join(
  process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'),
  'array-interface',
  'clang-tidy',
);
const SETTINGS = ['.clang-tidy', 'scripts/clang-tidy.mjs', 'scripts/clang-tidy.txt'];
const A_MONTH = 30 * 24 * 3_600_000;

const sums = new Map();
/** The checksum of a file, which many others may include. */
function sumOf(file) {
  const known = sums.get(file);
  if (known !== undefined) return known;
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  sums.set(file, sum);
  return sum;
}

/** The file that is in the memory if there is no mistake in what an entry compiles. */
async function noteFor({ directory, command }) {
  const compile = command.replace(/ -o \S+/, '');
  const options = { cwd: directory, maxBuffer: 2 ** 26 };
  // The fuzzer's sanitizers are clang's, and the compiler here need not be.
  const including = `${compile.replaceAll(/ -f(no-)?sanitize\S*/g, '')} -M`;
  const { stdout } = await promisify(execFile)('sh', ['-c', including], options);
  const included = stdout.replaceAll('\\\n', ' ').trim().split(/\s+/).slice(1);
  const files = included.map((name) => path.resolve(directory, name));
  const settings = SETTINGS.map((name) => path.join(root, name));
  const hash = createHash('sha256').update(compile.replaceAll(root, ''));
  for (const file of [...settings, ...files])
    hash.update(file.replace(root, '')).update(sumOf(file));
  return path.join(memory, hash.digest('hex'));
}

/** Those entries of a compilation database that it is not known of, or all if so told, each with its note. */
export async function unseen(entries) {
  const isWhole = process.env.ARRAY_INTERFACE_WHOLE === '1';
  const notes = new Map();
  const waiting = [...entries];
  const worker = async () => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      const note = await noteFor(entry);
      if (!isWhole && existsSync(note)) utimesSync(note, new Date(), new Date());
      else notes.set(entry, note);
    }
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
  return notes;
}

/** Keeps that there is no mistake, and forgets what nobody asked for in a month. */
export function remember(notes) {
  mkdirSync(memory, { recursive: true });
  for (const note of notes) writeFileSync(note, '');
  for (const name of readdirSync(memory)) {
    const file = path.join(memory, name);
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - A_MONTH) rmSync(file, { force: true });
  }
}
