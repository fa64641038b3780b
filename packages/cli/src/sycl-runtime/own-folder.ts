import type { Stats } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { whyUntrusted } from '@array-interface/core/backend';
import { Failure } from './outcome.js';

const require = createRequire(import.meta.url);

/**
 * Makes a folder that this user alone may read and write, or takes the one that is there. Follows no
 * link at its end. Throws a Failure where another user could change it, or it was not made so: then
 * somebody may have left things in it that would be run.
 */
export async function ownFolder(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  assertTrusted(parent); // what is there of it, before anything is made below
  await mkdir(parent, { recursive: true, mode: 0o700 });
  assertTrusted(parent);
  try {
    return await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const found = whatIsWrong(await lstat(folder));
  if (found === null) return;
  throw new Failure(
    `expected ${folder} to be a folder that this command made for you alone, got ${found}`,
    'remove it and run this again',
  );
}

function assertTrusted(folder: string): void {
  const why = whyUntrusted(folder, require);
  if (why !== null) throw new Failure(why, 'mend that, or choose another folder');
}

function whatIsWrong(stat: Stats): string | null {
  if (stat.isSymbolicLink()) return 'a symbolic link';
  if (!stat.isDirectory()) return 'a file';
  if (stat.uid !== process.geteuid?.()) return `one of user ${stat.uid}`;
  if ((stat.mode & 0o077) !== 0) return 'one that others may read or write';
  return null;
}
