// An array of CUDA's is shared, and another process opens its ticket.
import { execFileSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { cuda } from '@array-interface/cuda';

const program = (name) => fileURLToPath(new URL(name, import.meta.url));

export function prepare() {
  const array = cuda.empty([2, 3], 'float32');
  return () => {
    const ticket = JSON.stringify(cuda.share(array));
    execFileSync(process.execPath, [program('walk.mjs'), program('open-ticket.mjs'), ticket]);
  };
}
