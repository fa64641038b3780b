import { createHash, randomUUID } from 'node:crypto';
import { readFile, readlink, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';

// A ticket is an empty file `lock-PLACE-BOOT-PROCESS-START-RANDOM`. Names are never reused, so a
// dead ticket may be removed at any time.

export const PREFIX = 'lock-';
/** How often a process touches its ticket while it has the lock. */
export const BEAT_MS = 10_000;
/** A ticket that was not touched for this long is dead, wherever its process was. */
const DEAD_MS = 30 * BEAT_MS;

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** The scope within which process numbers are unique: a machine, or a container on it. */
async function pidNamespace(): Promise<string> {
  return digest(`${hostname()} ${await readlink('/proc/self/ns/pid').catch(() => '')}`);
}

/** Identifies one boot of the machine. */
async function boot(): Promise<string> {
  return digest(await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''));
}

/** When a process began, in ticks of the kernel. Empty if there is no such process, or no /proc. */
async function startOf(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** True if a process lives. A later process with the same number began at another time. */
async function lives(pid: number, start: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return (await startOf(pid)) === start;
}

/** A new ticket of this process. */
export async function newTicket(): Promise<string> {
  const { pid } = process;
  return [
    `${PREFIX}${await pidNamespace()}`,
    await boot(),
    pid,
    await startOf(pid),
    randomUUID(),
  ].join('-');
}

/**
 * Describes who has a ticket. Null if its process is dead. A process of another machine or
 * container that shares the folder counts as alive as long as it touches its ticket.
 */
export async function holderOf(folder: string, ticket: string): Promise<string | null> {
  const [where, since, pid, start = ''] = ticket.slice(PREFIX.length).split('-');
  if (where !== (await pidNamespace())) {
    const file = path.join(folder, ticket);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: 0 }));
    if (Math.abs(Date.now() - mtimeMs) > DEAD_MS) return null;
    return `a process of another machine or container (if it has ended, remove ${file})`;
  }
  if (since !== (await boot()) || !(await lives(Number(pid), start))) return null;
  return `process ${pid}`;
}
