import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Environment, libraryUnder } from '@array-interface/sycl';

/** Whether a SYCL runtime with a device exists, as the SYCL backend itself reports. */
export type Found =
  | { readonly available: true; readonly library: string }
  | { readonly available: false; readonly reason: string; readonly tried: readonly string[] };

const probe = fileURLToPath(new URL('./probe.js', import.meta.url));

/**
 * Queries the SYCL backend in a new process in `directory`. A runtime that crashes then ends only
 * that process, and a later call finds a runtime that was installed meanwhile. Blocks until the
 * answer.
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
 * names, which then is the only one that the backend tries.
 */
export function findRuntimeIn(folder: string, env: Environment = process.env): Found {
  const library = env.ARRAY_INTERFACE_DPCTL_LIBRARY || libraryUnder(folder) || folder;
  return findRuntime(process.cwd(), { ...env, ARRAY_INTERFACE_DPCTL_LIBRARY: library });
}
