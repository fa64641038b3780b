import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Environment, libraryUnder } from '@array-interface/sycl';

/** Whether a SYCL runtime with a device is there, as the SYCL backend itself sees it. */
export type Found =
  | { readonly available: true; readonly library: string }
  | { readonly available: false; readonly reason: string; readonly tried: readonly string[] };

const probe = fileURLToPath(new URL('./probe.js', import.meta.url));

/**
 * Asks the SYCL backend in a process of its own in `directory`. A runtime that ends its process then
 * ends only that one, and a later call sees a runtime made meanwhile. Waits for the answer.
 */
export function findRuntime(directory: string, env: Environment = process.env): Found {
  const answer = spawnSync(process.execPath, [probe], { cwd: directory, env, encoding: 'utf8' });
  try {
    return JSON.parse(answer.stdout.split('\n').findLast((line) => line.startsWith('{')) ?? '');
  } catch {
    const end = answer.signal ?? `status ${answer.status}`;
    const tried = answer.stderr.split('\n').filter((line) => line !== '');
    return {
      available: false,
      reason: `a SYCL runtime was found but it ends its process (${end})`,
      tried,
    };
  }
}

/**
 * The same for the runtime in `folder` alone, or for the library that ARRAY_INTERFACE_DPCTL_LIBRARY
 * names, since the backend looks at no other then.
 */
export function findRuntimeIn(folder: string, env: Environment = process.env): Found {
  const library = env.ARRAY_INTERFACE_DPCTL_LIBRARY || libraryUnder(folder) || folder;
  return findRuntime(process.cwd(), { ...env, ARRAY_INTERFACE_DPCTL_LIBRARY: library });
}
