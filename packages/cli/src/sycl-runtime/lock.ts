import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

// A ticket is an empty file `lock-PROCESS-START-RANDOM`. Nobody uses its name again, so a dead one may
// be removed at any time.

/** When a process began, in ticks of the kernel; '' where there is no such process, or no /proc. */
async function startOf(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Whether a process lives. A later one that has got its number began at another time. */
async function lives(pid: number, start: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return (await startOf(pid)) === start;
}

/** The number of a process that has another ticket, or null. Removes tickets of processes that ended. */
async function rival(folder: string, own: string): Promise<number | null> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith('lock-') && one !== own)) {
    const [, pid, start = ''] = name.split('-');
    if (await lives(Number(pid), start)) return Number(pid);
    await rm(path.join(folder, name), { force: true });
  }
  return null;
}

async function isLink(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => null);
  return found?.isSymbolicLink() ?? false;
}

async function putTicket(folder: string, ticket: string): Promise<void> {
  for (;;) {
    try {
      await mkdir(folder, { recursive: true });
      return await writeFile(path.join(folder, ticket), '');
    } catch (error) {
      // Whoever had the lock has just removed the folder; a link to nowhere would stay.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || (await isLink(folder))) throw error;
    }
  }
}

/**
 * Takes the lock unless another has it, and returns the number of that process. Each looks for
 * others once its own ticket is there: of two who come at once, none or one takes the lock.
 */
async function take(folder: string, ticket: string): Promise<number | null> {
  const holder = await rival(folder, ticket);
  if (holder !== null) return holder;
  await putTicket(folder, ticket);
  const other = await rival(folder, ticket);
  if (other !== null) await rm(path.join(folder, ticket));
  return other;
}

/**
 * Runs `work` while this process alone has the lock of `folder`, then removes the folder if nothing is
 * left in it. Waits for another process that has it, and calls `onWait` once with its number; takes
 * over from one that has ended.
 */
export async function withLock<T>(
  folder: string,
  onWait: (pid: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  const ticket = `lock-${process.pid}-${await startOf(process.pid)}-${randomUUID()}`;
  let told = false;
  for (;;) {
    const other = await take(folder, ticket);
    if (other === null) break;
    if (!told) onWait(other);
    told = true;
    await setTimeout(250 + 500 * Math.random()); // two who came at once come back one by one
  }
  try {
    return await work();
  } finally {
    await rm(path.join(folder, ticket), { force: true });
    await rmdir(folder).catch(() => {});
  }
}
