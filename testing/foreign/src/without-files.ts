import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** More than a process of tests has open. */
const MOST = 4096;

/** Calls a function while this process can open no more files. */
export function withoutFiles(work: () => void): void {
  const [usual] = execFileSync(
    'prlimit',
    [`--pid=${process.pid}`, '--nofile', '--noheadings', '--output=SOFT'],
    {
      encoding: 'utf8',
    },
  ).split('\n');
  setLimit(String(MOST));
  const files: number[] = [];
  try {
    for (;;) files.push(openSync('/dev/null', 'r'));
  } catch {
    work();
  } finally {
    for (const file of files) closeSync(file);
    setLimit(String(usual).trim());
  }
}

function setLimit(soft: string): void {
  execFileSync('prlimit', [`--pid=${process.pid}`, `--nofile=${soft}:`]);
}
