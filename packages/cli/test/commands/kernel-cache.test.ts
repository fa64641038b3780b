import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../support/run-command.js';

let cache = '';
let folder = '';
beforeEach(() => {
  cache = realpathSync(mkdtempSync(path.join(tmpdir(), 'kernel-cache-')));
  folder = path.join(cache, 'array-interface/sycl-kernels');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
});
afterEach(() => rmSync(cache, { recursive: true }));

const command = (...args: string[]) =>
  run(['cache', ...args], '', { env: { XDG_CACHE_HOME: cache } });

function fill(): void {
  for (const name of ['1.kernel', '2.kernel', 'mine.txt']) {
    writeFileSync(path.join(folder, name), Buffer.alloc(1500));
  }
}

describe('cache', () => {
  it('says where kernels are, how many and how large', async () => {
    fill();
    const { status, stdout } = await command();
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `2 compiled SYCL kernels (3 kB) in ${folder}\n`,
    });
  });

  // Thousands, as disks have them: between two of 1000 bytes and two of 1024 there is more than rounding.
  it.each([
    [1, 1],
    [1000, 1],
    [1001, 2],
    [70_000, 70],
    [5_000_000, 5000],
  ])('a kernel of %i bytes has %i kB', async (bytes, kilobytes) => {
    writeFileSync(path.join(folder, '1.kernel'), Buffer.alloc(bytes));
    expect((await command()).stdout).toBe(
      `1 compiled SYCL kernel (${kilobytes} kB) in ${folder}\n`,
    );
  });

  it('says if there are none, or no folder yet', async () => {
    expect((await command()).stdout).toBe(`0 compiled SYCL kernels (0 kB) in ${folder}\n`);
    rmSync(folder, { recursive: true });
    expect((await command('clear')).stdout).toBe(
      `removed 0 compiled SYCL kernels (0 kB) from ${folder}\n`,
    );
  });

  it('clear removes them, and nothing else', async () => {
    fill();
    expect((await command('clear')).stdout).toBe(
      `removed 2 compiled SYCL kernels (3 kB) from ${folder}\n`,
    );
    expect(readdirSync(folder)).toEqual(['mine.txt']);
  });

  it.each<[string, string, () => void]>([
    ['others may write', 'may be written by every user', () => chmodSync(folder, 0o777)],
    [
      'is a link',
      'to be a folder; remove what is there',
      () => {
        rmSync(folder, { recursive: true });
        mkdirSync(`${folder}-there`);
        writeFileSync(path.join(`${folder}-there`, '1.kernel'), '');
        symlinkSync(`${folder}-there`, folder);
      },
    ],
  ])('clear removes nothing from a folder that %s', async (_, why, spoil) => {
    fill();
    spoil();
    const before = readdirSync(folder);
    const { status, stderr } = await command('clear');
    expect(status).toBe(1);
    expect(stderr).toContain(why);
    expect(readdirSync(folder)).toEqual(before);
  });
});
