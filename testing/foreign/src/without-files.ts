import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** More than a test process has open. */
const MOST = '4096';

/** What a function throws while this process can open no more files; null if nothing. */
export function errorWithoutFiles(work: () => void): unknown {
  const usual = prlimit('--nofile', '--noheadings', '--output=SOFT').trim();
  prlimit(`--nofile=${MOST}:`);
  const files = openAll();
  try {
    work();
    return null;
  } catch (error) {
    return error;
  } finally {
    for (const file of files) closeSync(file);
    prlimit(`--nofile=${usual}:`);
  }
}

/** Opens as many files as are allowed. */
function openAll(): number[] {
  const files: number[] = [];
  try {
    for (;;) files.push(openSync('/dev/null', 'r'));
  } catch {
    return files;
  }
}

function prlimit(...options: string[]): string {
  return execFileSync('prlimit', [`--pid=${process.pid}`, ...options], { encoding: 'utf8' });
}
