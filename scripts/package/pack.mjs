import { execFileSync } from 'node:child_process';
import { environment } from '../run.mjs';

/** Packs a package as it would be published. Returns the tarball and the names of its files. */
export function pack(folder, destination) {
  // pnpm replaces `workspace:` by real ranges, and adds the root's licence.
  const answer = execFileSync('pnpm', ['pack', '--json', '--pack-destination', destination], {
    cwd: folder,
    env: environment(),
    encoding: 'utf8',
  });
  const { filename: tarball } = JSON.parse(answer);
  const listed = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' });
  return { tarball, files: listed.trim().split('\n').map(withoutFolder) };
}

function withoutFolder(entry) {
  return entry.replace(/^package\//, '');
}
