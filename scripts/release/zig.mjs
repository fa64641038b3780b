import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { environmentOf, provideEnvironment } from '../python/environment.mjs';
import { makeHashed } from '../python/hashed.mjs';

const environment = environmentOf({
  what: 'Zig',
  size: '0.45 GB, 97 MB to fetch',
  pins: 'scripts/release/zig.txt',
  target: '.release/zig',
  make: fetchZig,
});

/** Downloads the wheel whose hash is pinned: what it links is published. */
async function fetchZig({ pins, target, partial, log }) {
  const work = mkdtempSync(path.join(partial, 'making-')); // new, so that it is empty
  const made = path.join(work, 'zig');
  log('fetching');
  await makeHashed(made, pins);
  rmSync(target, { recursive: true, force: true });
  renameSync(made, target);
  rmSync(work, { recursive: true });
}

/** Returns the path of Zig's single program, which is downloaded if needed. */
export async function provideZig() {
  await provideEnvironment(environment);
  const libraries = path.join(environment.target, 'lib');
  const [zig] = readdirSync(libraries)
    .map((python) => path.join(libraries, python, 'site-packages/ziglang/zig'))
    .filter((file) => existsSync(file));
  if (zig === undefined) throw new Error(`expected zig in ${environment.target}, got none`);
  return zig;
}
