import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../run.mjs';

/** Where stage.mjs puts what is published. */
export const staged = path.join(root, '.release', 'packages');

/** The tarballs in a folder, each with its manifest. */
export function readTarballs(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  return files.map((file) => readTarball(path.join(folder, file)));
}

function readTarball(tarball) {
  const text = execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], {
    encoding: 'utf8',
  });
  return { tarball, manifest: JSON.parse(text) };
}
