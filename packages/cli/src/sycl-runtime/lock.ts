import { readdir, rm, rmdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { BEAT_MS, holderOf, newTicket, PREFIX } from './lock-ticket.js';
import { ownFolder } from './own-folder.js';

/** Who has another ticket, in words, or null. Removes tickets of processes that ended. */
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
      // Whoever had the lock has just removed the folder.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/**
 * Takes the lock unless another has it, and returns who that is. Each looks for
 * others once its own ticket is there: of two who come at once, none or one takes the lock.
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
    utimes(file, now, now).catch(() => {}); // somebody took it away: then it shows nothing
  }, BEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Runs `work` while this process alone has the lock of `folder`, which is this user's alone, then
 * removes the folder if nothing is left in it. Waits for another process that has it, and calls `onWait` once with what to call it;
 * takes over from one that has ended.
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
    await setTimeout(250 + 500 * Math.random()); // two who came at once come back one by one
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
