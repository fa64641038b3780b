import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { pythonOf } from '../support/python.js';
import { makeStandIns } from '../support/runtime.js';

const LIBRARIES = [
  'libcublas.so.12',
  'libcudnn.so.8',
  'libcufft.so.11',
  'libcurand.so.10',
  'libcusolver.so.11',
  'libcusparse.so.12',
  'libcutensor.so.1',
  'libnccl.so.2',
];

/** The libraries of a folder, each with the bytes that it has at the moment. */
function sizesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.startsWith('lib'));
  return names.map((name) => `${name}: ${statSync(path.join(folder, name)).size}`).sort();
}

// Test files run at the same time, and each makes what it finds missing.
test('two processes may make the same libraries at once: nobody finds half of one', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'stand-ins-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const make = () => promisify(execFile)(pythonOf('cupy'), [makeStandIns, folder]);
  let isMade = false;
  const made = Promise.all([make(), make()]).finally(() => {
    isMade = true;
  });
  const seen = new Set<string>();
  while (!isMade) {
    for (const one of sizesIn(folder)) seen.add(one);
    await setTimeout(1);
  }
  await made;
  expect([...seen].sort()).toEqual(sizesIn(folder));
  expect(readdirSync(folder).sort()).toEqual(LIBRARIES);
});
