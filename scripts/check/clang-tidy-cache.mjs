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
import { atOnce } from '../at-once.mjs';
import { root } from '../run.mjs';

// clang-tidy skips a file without findings until something changes: the file, its includes, its
// compile command, or the checks. Like ccache's, this cache outlives a checkout, since most of the
// time is spent on unchanged files.
const memory = path.join(
  process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'),
  'array-interface',
  'clang-tidy',
);
const SETTINGS = ['.clang-tidy', 'scripts/check/clang-tidy.mjs', 'scripts/check/clang-tidy.txt'];
const A_MONTH = 30 * 24 * 3_600_000;

const sums = new Map();
/** The checksum of a file, which many others may include. */
function sumOf(file) {
  if (!sums.has(file))
    sums.set(file, createHash('sha256').update(readFileSync(file)).digest('hex'));
  return sums.get(file);
}

/** The cache file that marks an entry as free of findings. */
async function noteFor({ directory, command }) {
  const compile = command.replace(/ -o \S+/, '');
  const options = { cwd: directory, maxBuffer: 2 ** 26 };
  // The fuzzer's sanitizers are clang's, and the compiler here may be another.
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

/**
 * Returns the entries of a compilation database that are not in the cache, or all if requested,
 * each with its cache file.
 */
export async function unseen(entries) {
  const isWhole = process.env.ARRAY_INTERFACE_WHOLE === '1';
  const notes = new Map();
  await atOnce(os.availableParallelism(), entries, async (entry) => {
    const note = await noteFor(entry);
    if (!isWhole && existsSync(note)) utimesSync(note, new Date(), new Date());
    else notes.set(entry, note);
  });
  return notes;
}

/** Marks entries as free of findings, and drops those that were not used for a month. */
export function remember(notes) {
  mkdirSync(memory, { recursive: true });
  for (const note of notes) writeFileSync(note, '');
  for (const name of readdirSync(memory)) {
    const file = path.join(memory, name);
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - A_MONTH) rmSync(file, { force: true });
  }
}
