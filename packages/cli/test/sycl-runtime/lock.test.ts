import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { withLock } from '../../src/sycl-runtime/lock.js';
import { newTicket } from '../../src/sycl-runtime/lock-ticket.js';

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
  const waits: string[] = [];
  const first = withLock(folder, never, async () => {
    order.push('first begins');
    await vi.waitUntil(() => waits.length > 0, 60_000);
    order.push('first ends');
  });
  await vi.waitUntil(() => order.length > 0, 60_000);
  await withLock(
    folder,
    (holder) => waits.push(holder),
    async () => order.push('second begins'),
  );
  await first;
  expect(order).toEqual(['first begins', 'first ends', 'second begins']);
  expect(waits).toEqual([`process ${process.pid}`]);
  expect(existsSync(folder)).toBe(false);
});

/** Parts of a ticket that stand in another's place. */
interface Parts {
  readonly location?: string;
  readonly boot?: string;
  readonly pid?: number;
  readonly start?: string;
}

/** Leaves what a process leaves that was killed: a ticket as of this process, but for those parts. */
async function killed(other: Parts): Promise<string> {
  const [own = '', boot, pid, start, ...random] = (await newTicket()).split('-').slice(1);
  const parts = { location: own, boot, pid, start, ...other };
  const file = path.join(folder, ['lock', ...Object.values(parts), ...random].join('-'));
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(file, '');
  return file;
}

test('is taken over from a process that has ended', async () => {
  await killed({ pid: spawnSync('true').pid });
  expect(await withLock(folder, never, async () => 'done')).toBe('done');
  expect(existsSync(folder)).toBe(false);
});

test('is taken over from a process whose number another process now has', async () => {
  await killed({ start: '1' });
  expect(await withLock(folder, never, async () => 'done')).toBe('done');
});

test('is taken over from a process from before the machine restarted', async () => {
  await killed({ boot: 'another' });
  expect(await withLock(folder, never, async () => 'done')).toBe('done');
});

test('is not taken over from another machine or container, whose processes have other numbers', async () => {
  const file = await killed({ location: 'another', pid: spawnSync('true').pid });
  const waits: string[] = [];
  const taken = withLock(
    folder,
    (holder) => waits.push(holder),
    async () => existsSync(file),
  );
  await vi.waitUntil(() => waits.length > 0, 60_000);
  expect(waits).toEqual([
    `a process of another machine or container (if it has ended, remove ${file})`,
  ]);
  await setTimeout(1500);
  expect(existsSync(file)).toBe(true);
  rmSync(file);
  expect(await taken).toBe(false);
});

test('is taken over from another machine if nobody has touched the ticket for five minutes', async () => {
  for (const aside of [-301_000, 301_000]) {
    const file = await killed({ location: 'another' });
    const then = new Date(Date.now() + aside);
    utimesSync(file, then, then);
    expect(await withLock(folder, never, async () => existsSync(file))).toBe(false);
  }
});

test('is touched by its holder', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  await withLock(folder, never, async () => {
    const [ticket] = readdirSync(folder);
    const file = path.join(folder, ticket as string);
    utimesSync(file, 0, 0);
    vi.advanceTimersByTime(10_000);
    await vi.waitUntil(() => statSync(file).mtimeMs > 0, 60_000);
  });
});

test('does not fail its holder if somebody removes the ticket', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const refused = vi.fn();
  process.on('unhandledRejection', refused);
  onTestFinished(() => void process.off('unhandledRejection', refused));
  await withLock(folder, never, async () => {
    rmSync(folder, { recursive: true });
    vi.advanceTimersByTime(10_000);
    await setTimeout(50);
  });
  expect(refused).not.toHaveBeenCalled();
});

test('is held by one process at a time when many take it over at once', async () => {
  await killed({ pid: spawnSync('true').pid });
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

test('is taken although another process removes the folder between two steps', async () => {
  let ended = false;
  const removing = async (): Promise<void> => {
    while (!ended) await rmdir(folder).catch(() => {});
  };
  const taking = async (): Promise<void> => {
    for (let round = 0; round < 100; round += 1) await withLock(folder, never, async () => {});
  };
  await Promise.all([taking().finally(() => (ended = true)), removing()]);
});

test('a folder that cannot be made is an error', async () => {
  symlinkSync(path.join(directory, 'nowhere'), folder);
  await expect(withLock(folder, never, async () => {})).rejects.toThrow('got a symbolic link');
});

test('is released if the work fails, and the folder keeps its contents', async () => {
  const work = async (): Promise<void> => {
    writeFileSync(path.join(folder, 'kept'), '');
    throw new Error('broken');
  };
  await expect(withLock(folder, never, work)).rejects.toThrow('broken');
  expect(existsSync(path.join(folder, 'kept'))).toBe(true);
  expect(await withLock(folder, never, async () => 'again')).toBe('again');
});
