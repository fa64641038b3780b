import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withLock } from '../../src/sycl-runtime/lock.js';

let directory = '';
let folder = '';
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'lock-'));
  folder = path.join(directory, 'held');
});
afterEach(() => rmSync(directory, { recursive: true }));

const never = (): void => expect.unreachable();

test('one after the other', async () => {
  const order: string[] = [];
  const waits: number[] = [];
  const first = withLock(folder, never, async () => {
    order.push('first begins');
    await vi.waitUntil(() => waits.length > 0, 10_000);
    order.push('first ends');
  });
  await vi.waitUntil(() => order.length > 0, 10_000);
  await withLock(
    folder,
    (pid) => waits.push(pid),
    async () => order.push('second begins'),
  );
  await first;
  expect(order).toEqual(['first begins', 'first ends', 'second begins']);
  expect(waits).toEqual([process.pid]);
  expect(existsSync(folder)).toBe(false);
});

/** Leaves what a process of that number leaves that began at a time and was killed. */
function killed(pid: number, start: string): void {
  mkdirSync(folder);
  writeFileSync(path.join(folder, `lock-${pid}-${start}-x`), '');
}

test('is taken over from a process that has ended', async () => {
  killed(spawnSync('true').pid, '1');
  expect(await withLock(folder, never, async () => 'done')).toBe('done');
  expect(existsSync(folder)).toBe(false);
});

test('is taken over from a process whose number another has got', async () => {
  killed(process.pid, '1');
  expect(await withLock(folder, never, async () => 'done')).toBe('done');
});

test('of many that take it over at once, each has it alone', async () => {
  killed(spawnSync('true').pid, '1');
  let holders = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    holders += 1;
    most = Math.max(most, holders);
    await setTimeout(20);
    holders -= 1;
  };
  await Promise.all(Array.from({ length: 8 }, () => withLock(folder, () => {}, work)));
  expect(most).toBe(1);
});

test('is taken although another removes the folder between two steps of it', async () => {
  let ended = false;
  const removing = async (): Promise<void> => {
    while (!ended) await rmdir(folder).catch(() => {});
  };
  const taking = async (): Promise<void> => {
    for (let round = 0; round < 200; round += 1) await withLock(folder, never, async () => {});
  };
  await Promise.all([taking().finally(() => (ended = true)), removing()]);
});

test('a folder that cannot be made is an error', async () => {
  symlinkSync(path.join(directory, 'nowhere'), folder);
  await expect(withLock(folder, never, async () => {})).rejects.toThrow('ENOENT');
});

test('is given back when the work fails, and what is in the folder stays', async () => {
  const work = async (): Promise<void> => {
    writeFileSync(path.join(folder, 'kept'), '');
    throw new Error('broken');
  };
  await expect(withLock(folder, never, work)).rejects.toThrow('broken');
  expect(existsSync(path.join(folder, 'kept'))).toBe(true);
  expect(await withLock(folder, never, async () => 'again')).toBe('again');
});
