import { readdir, rm, rmdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { BEAT_MS, holderOf, newTicket, PREFIX } from './lock-ticket.js';
import { ownFolder } from './own-folder.js';

/** Describes who has another ticket, or returns null. Removes tickets of dead processes. */
async function rival(folder: string, own: string): Promise<string | null> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(PREFIX) && one !== own)) {
    const holder = await holderOf(folder, name);
    if (holder !== null) return holder;
    await rm(path.join(folder, name), { force: true });
  }
  return null;
}

async function putTicket(folder: string, ticket: string): Promise<void> {
  for (;;) {
    await ownFolder(folder);
    try {
      return await writeFile(path.join(folder, ticket), '', { flag: 'wx', mode: 0o600 });
    } catch (error) {
      // The previous owner of the lock has just removed the folder.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/**
 * Takes the lock, unless another process has it; returns a description of that one. Each process
 * checks for others only after adding its own ticket. So of two that try at once, at most one takes
 * the lock.
 */
async function take(folder: string, ticket: string): Promise<string | null> {
  const holder = await rival(folder, ticket);
  if (holder !== null) return holder;
  await putTicket(folder, ticket);
  const other = await rival(folder, ticket);
  if (other !== null) await rm(path.join(folder, ticket));
  return other;
}

/** Shows that a ticket's process lives, until the result is called. */
function beat(file: string): () => void {
  const timer = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => {}); // another process removed it, so it shows nothing
  }, BEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Runs `work` while only this process has the lock of `folder`, which only this user may access.
 * Then removes the folder if it is empty. If another process has the lock, waits for it, and calls
 * `onWait` once with its description. Takes over from a process that has died.
 */
export async function withLock<T>(
  folder: string,
  onWait: (holder: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const ticket = await newTicket();
  let told = false;
  for (;;) {
    const other = await take(folder, ticket);
    if (other === null) break;
    if (!told) onWait(other);
    told = true;
    // random, so that two processes that tried at once do not retry at once
    await setTimeout(250 + 500 * Math.random());
  }
  const end = beat(path.join(folder, ticket));
  try {
    return await work();
  } finally {
    end();
    await rm(path.join(folder, ticket), { force: true });
    await rmdir(folder).catch(() => {});
  }
}
