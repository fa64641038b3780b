import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownFolder } from '../../src/sycl-runtime/own-folder.js';

let directory = '';
let folder = '';
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'own-folder-'));
  folder = path.join(directory, 'below', 'own');
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Expects what is there to be refused, in these words. */
async function expectRefused(what: string): Promise<void> {
  await expect(ownFolder(folder)).rejects.toMatchObject({
    message: `expected ${folder} to be a folder that this command made for you alone, got ${what}`,
    remedy: 'remove it and run this again',
  });
}

test('is created only for its user, with missing parents, and used again', async () => {
  for (let time = 0; time < 2; time++) {
    await ownFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path.dirname(folder)).mode & 0o777).toBe(0o700);
  }
});

test('is refused if others have any right to it', async () => {
  mkdirSync(folder, { recursive: true });
  for (let mode = 0o701; mode <= 0o777; mode++) {
    chmodSync(folder, mode);
    await expectRefused('one that others may read or write');
  }
});

test('is refused if it is a file, a link, or another user’s', async () => {
  mkdirSync(path.dirname(folder));
  writeFileSync(folder, '');
  await expectRefused('a file');
  rmSync(folder);
  symlinkSync(directory, folder);
  await expectRefused('a symbolic link');
  rmSync(folder);
  if (process.getuid?.() !== 0) return; // who else may give a folder away
  mkdirSync(folder, { mode: 0o700 });
  chownSync(folder, 1234, 1234);
  await expectRefused('one of user 1234');
});
