import path from 'node:path';
import { checkSpace, makeEnvironment } from './environment.js';
import type { Python } from './python.js';
import { bytesNeeded, requirements, size } from './requirements.js';

/**
 * Makes the runtime as a virtual environment at `target` with the pinned packages; see
 * makeEnvironment. Throws a Failure that says why it cannot be done. Waits for pip.
 */
export async function makeRuntime(
  python: Python,
  target: string,
  partial: string,
  log: (line: string) => void,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  await checkSpace(path.dirname(target), bytesNeeded);
  log(`Providing a SYCL runtime in ${target}: ${size}, 0.5 GB to fetch, once.`);
  const wanted = requirements(python.minor);
  await makeEnvironment({ python, target, partial, wanted, bytesNeeded, log, env });
}
