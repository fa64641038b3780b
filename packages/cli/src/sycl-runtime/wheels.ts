import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ownFolder } from './own-folder.js';
import { type Pip, runPip } from './pip.js';
import { hashFlags, pinOf, type Requirement } from './requirements.js';

/**
 * Fetches the wheels of `requirements` into `folder`, one at a time, and logs each. Keeps wheels
 * that exist already; a file only ever appears complete. Rejects with pip's Failure.
 */
export async function fetchWheels(
  pip: Pip,
  requirements: readonly Requirement[],
  folder: string,
  log: (line: string) => void,
): Promise<void> {
  const incoming = path.join(pip.folder, 'incoming');
  const pin = path.join(pip.folder, 'pin.txt');
  await ownFolder(folder);
  const there = await readdir(folder);
  for (const [i, requirement] of requirements.entries()) {
    const { name, version, megabytes } = requirement;
    const prefix = `${name.replaceAll(/[-_.]+/g, '_').toLowerCase()}-${version}-`; // of its file
    const kept = there.some((file) => file.toLowerCase().startsWith(prefix));
    const note = kept ? 'there from before' : `${megabytes} MB`;
    log(`  ${i + 1}/${requirements.length} ${name} ${version}: ${note}`);
    if (kept) continue;
    await rm(incoming, { recursive: true, force: true });
    await writeFile(pin, pinOf(requirement));
    const flags = [
      ...hashFlags([requirement]),
      '--no-deps',
      '--only-binary=:all:',
      '--retries',
      '2',
    ];
    await runPip(pip, ['download', ...flags, '-d', incoming, '--requirement', pin]);
    for (const file of await readdir(incoming)) {
      await rename(path.join(incoming, file), path.join(folder, file));
    }
    await rm(incoming, { recursive: true });
  }
}
