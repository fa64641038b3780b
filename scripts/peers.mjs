import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run.mjs';

const folder = path.join(root, '.peers');

/** The Python environments of `npm run test:peers`, each as its file in testing/peers pins it. */
export const peers = [
  {
    name: 'sycl',
    what: 'dpctl, dpnp and NumPy',
    size: '2.9 GB, 0.9 GB to fetch',
    bytesNeeded: 3_900_000_000,
  },
  {
    name: 'cuda',
    what: 'Numba and cuda.core, for the CUDA simulator',
    size: '0.4 GB, 0.1 GB to fetch',
    bytesNeeded: 600_000_000,
  },
].map((peer) => ({
  ...peer,
  pins: path.join(root, 'testing', 'peers', `${peer.name}.txt`),
  target: path.join(folder, peer.name),
  python: path.join(folder, peer.name, 'bin', 'python'),
  stamp: path.join(folder, peer.name, 'pins.txt'),
}));

/** Whether an environment is there and holds what is pinned now. */
export function isReady({ python, stamp, pins }) {
  if (!existsSync(python) || !existsSync(stamp)) return false;
  return readFileSync(stamp, 'utf8') === readFileSync(pins, 'utf8');
}

/** The lines `NAME==VERSION # MB` of a file of pins. Throws for any other line but comments. */
export function readPins(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, version, megabytes] = /^(\S+)==(\S+) # (\d+)$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`${file}: expected NAME==VERSION # MB, got ${line}`);
      return { name, version, megabytes: Number(megabytes) };
    });
}
