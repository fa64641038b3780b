import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pip } from './pip.js';

/** How a wheel's file name begins for `name==version`. */
export function wheelPrefix(requirement: string): string {
  const [name = '', version = ''] = requirement.split('==');
  return `${name.replaceAll(/[-_.]+/g, '_').toLowerCase()}-${version}-`;
}

async function has(folder: string, requirement: string): Promise<boolean> {
  const prefix = wheelPrefix(requirement);
  return (await readdir(folder)).some((file) => file.toLowerCase().startsWith(prefix));
}

/**
 * Fetches the wheels of `requirements` into `folder`, one at a time, and says each; those that are
 * there already are kept. A file is there only when it is whole. Rejects with pip's Failure.
 */
export async function fetchWheels(
  command: readonly string[],
  requirements: readonly string[],
  folder: string,
  log: (line: string) => void,
): Promise<void> {
  const incoming = `${folder}.incoming`;
  await mkdir(folder, { recursive: true });
  for (const [i, requirement] of requirements.entries()) {
    const line = `  ${i + 1}/${requirements.length} ${requirement.replace('==', ' ')}`;
    if (await has(folder, requirement)) {
      log(`${line}: there from before`);
      continue;
    }
    if (existsSync(incoming)) await rm(incoming, { recursive: true });
    const flags = ['--no-deps', '--only-binary=:all:', '--retries', '2'];
    await pip(command, ['download', ...flags, '-d', incoming, requirement]);
    for (const file of await readdir(incoming)) {
      const { size } = await stat(path.join(incoming, file));
      await rename(path.join(incoming, file), path.join(folder, file));
      log(`${line}: ${Math.ceil(size / 1e6)} MB`);
    }
    await rm(incoming, { recursive: true });
  }
}
