import { lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { printable } from '@array-interface/core';
import { whyUntrusted } from '@array-interface/core/backend';
import { writeLine } from '../output/write-line.js';

const require = createRequire(import.meta.url);

/** The endings of names of compiled kernels, and of kernels that are being written. */
const OURS = /\.(kernel|part)$/;

/** The folder, and the files in it that this package wrote. */
type Kept = Awaited<ReturnType<typeof kept>>;

/**
 * Reports where compiled SYCL kernels are kept, and how many. Returns whether the folder could be
 * read.
 */
export function showKernels(): Promise<boolean> {
  return withKept(({ folder, files }) => `${countOf(files)} in ${folder}`);
}

/** Removes them, and reports how many there were. Returns whether that succeeded. */
export function clearKernels(): Promise<boolean> {
  return withKept(({ folder, files }) => {
    for (const { file } of files) unlinkSync(file);
    return `removed ${countOf(files)} from ${folder}`;
  });
}

async function withKept(say: (kept: Kept) => string): Promise<boolean> {
  try {
    await writeLine(printable(say(await kept())));
    return true;
  } catch (error) {
    await writeLine(printable(`no kernels: ${(error as Error).message}`), 'stderr');
    return false;
  }
}

async function kept() {
  // Loaded here, since few runs of the command need it.
  const { kernelFolder } = await import('@array-interface/sycl');
  const folder = kernelFolder(process.env);
  if (folder === null) {
    throw new Error("the user has no home folder; name the user's cache in XDG_CACHE_HOME");
  }
  const why = whyUntrusted(folder, require);
  if (why !== null) throw new Error(`${why}; no kernels are kept or used there`);
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() === false) {
    throw new Error(`expected ${folder} to be a folder; remove what is there`);
  }
  const names = found === undefined ? [] : readdirSync(folder).filter((name) => OURS.test(name));
  return { folder, files: names.flatMap((name) => sized(path.join(folder, name))) };
}

/** Empty if another process has just removed it. */
function sized(file: string): { readonly file: string; readonly bytes: number }[] {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found === undefined || found.isDirectory() ? [] : [{ file, bytes: found.size }];
}

function countOf(files: Kept['files']): string {
  const kilobytes = Math.ceil(files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000);
  return `${files.length} compiled SYCL kernel${files.length === 1 ? '' : 's'} (${kilobytes} kB)`;
}
