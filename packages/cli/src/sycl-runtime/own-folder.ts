import type { Stats } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { whyUntrusted } from '@array-interface/core/backend';
import { Failure } from '../output/failure.js';

const require = createRequire(import.meta.url);

/**
 * Makes a folder that only this user may read and write, or uses the existing one. Does not follow
 * a link at the end of the path. Throws a Failure if another user could change the folder, or if
 * its permissions differ: another user may then have left files in it that would be run.
 */
export async function ownFolder(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  assertTrusted(parent); // the part of it that exists, before anything is made below
  await mkdir(parent, { recursive: true, mode: 0o700 });
  assertTrusted(parent);
  try {
    return await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const found = whatIsWrong(await lstat(folder));
  if (found !== null) {
    throw new Failure(
      `expected ${folder} to be a folder that this command made for you alone, got ${found}`,
      'remove it and run this again',
    );
  }
}

function assertTrusted(folder: string): void {
  const why = whyUntrusted(folder, require);
  if (why !== null) throw new Failure(why, 'fix that, or choose another folder');
}

function whatIsWrong(stat: Stats): string | null {
  if (stat.isSymbolicLink()) return 'a symbolic link';
  if (!stat.isDirectory()) return 'a file';
  if (stat.uid !== process.geteuid?.()) return `one of user ${stat.uid}`;
  if ((stat.mode & 0o077) !== 0) return 'one that others may read or write';
  return null;
}
