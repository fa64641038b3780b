import { lstat, mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function isLink(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => null);
  return found?.isSymbolicLink() ?? false;
}

/** Takes the lock. Returns whether it was free. */
async function take(folder: string, file: string): Promise<boolean> {
  for (;;) {
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(file, String(process.pid), { flag: 'wx' });
      return true;
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' && syscall === 'open') return false;
      // Whoever had the lock has just removed the folder; a link to nowhere would stay.
      if (code !== 'ENOENT' || (await isLink(folder))) throw error;
    }
  }
}

/**
 * Runs `work` while this process alone holds `folder/lock`, then removes the folder if nothing is
 * left in it. Waits for another process that holds it, and calls `onWait` once with its number;
 * takes over from one that has ended.
 */
export async function withLock<T>(
  folder: string,
  onWait: (pid: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  const file = path.join(folder, 'lock');
  for (let told = false; !(await take(folder, file)); ) {
    const pid = Number(await readFile(file, 'utf8').catch(() => '0'));
    if (pid > 0 && !alive(pid)) {
      await rm(file, { force: true });
      continue;
    }
    if (pid > 0 && !told) {
      told = true;
      onWait(pid);
    }
    await setTimeout(500);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
    await rmdir(folder).catch(() => {});
  }
}
