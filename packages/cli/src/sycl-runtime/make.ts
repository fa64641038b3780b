import path from 'node:path';
import type { Environment } from '@array-interface/sycl';
import { checkSpace, makeEnvironment } from './environment.js';
import type { Python } from './python.js';
import { bytesNeeded, type requirements, size } from './requirements.js';

/**
 * Makes the runtime, a virtual environment at `target`. `packages` returns its packages for the
 * minor version of Python; see makeEnvironment. Throws a Failure with the reason if it cannot be
 * made. Settles once pip has ended.
 */
export async function makeRuntime(
  python: Python,
  target: string,
  partial: string,
  packages: typeof requirements,
  log: (line: string) => void,
  env: Environment,
): Promise<void> {
  await checkSpace(path.dirname(target), bytesNeeded);
  log(`Making a SYCL runtime in ${target}`);
  for (const need of needs(python)) log(`  ${need}`);
  const wanted = packages(python.minor);
  await makeEnvironment({ python, target, partial, wanted, bytesNeeded, log, env });
}

/** What making the runtime requires, one line each. */
function needs({ command, minor }: Python): string[] {
  const space = (bytesNeeded / 1e9).toFixed(1);
  return [
    `disk     ${size}, and ${space} GB while it is made`,
    'network  0.5 GB, from the package index that pip uses',
    `python   ${command} (3.${minor}) with venv`,
    'time     a minute on a fast network; when interrupted, run it again and it goes on',
  ];
}
