import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
  const work = (name: string) => async (): Promise<void> => {
    order.push(`${name} begins`);
    await setTimeout(50);
    order.push(`${name} ends`);
  };
  const waits: number[] = [];
  const first = withLock(folder, never, work('first'));
  await vi.waitUntil(() => order.length > 0);
  await Promise.all([first, withLock(folder, (pid) => waits.push(pid), work('second'))]);
  expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  expect(waits).toEqual([process.pid]);
  expect(existsSync(folder)).toBe(false);
});

test('is taken over from a process that has ended', async () => {
  const { pid } = spawnSync('true');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'lock'), String(pid));
  expect(await withLock(folder, never, async () => 'done')).toBe('done');
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
