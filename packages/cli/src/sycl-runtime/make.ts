import path from 'node:path';
import type { Environment } from '@array-interface/sycl';
import { checkSpace, makeEnvironment } from './environment.js';
import type { Python } from './python.js';
import { bytesNeeded, type requirements, size } from './requirements.js';

/**
 * Makes the runtime as a virtual environment at `target` with packages that it asks for by the minor
 * number of Python's version; see makeEnvironment. Throws a Failure that says why it cannot be done.
 * Waits for pip.
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

/** What it takes to make the runtime, a line each. */
function needs({ command, minor }: Python): string[] {
  const space = (bytesNeeded / 1e9).toFixed(1);
  return [
    `disk     ${size}, and ${space} GB while it is made`,
    'network  0.5 GB, from the package index that pip uses',
    `python   ${command} (3.${minor}) with venv`,
    'time     a minute on a fast network; when interrupted, run it again and it goes on',
  ];
}
