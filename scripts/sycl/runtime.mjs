import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../run.mjs';

/**
 * Provides the SYCL runtime, with code that setup has built. Returns the outcome. Installs into the
 * checkout, regardless of the user's own runtime, so that tests run on the pinned one.
 */
export async function provide() {
  const { provideSyclRuntime } = await import('../../packages/cli/dist/sycl-runtime/provide.js');
  return provideSyclRuntime({
    target: path.join(root, '.sycl-runtime'),
    log: (line) => console.log(line),
  });
}

/** One or two lines for an outcome that is not ready. */
export function explain({ state, reason, remedy }) {
  const what = state === 'left out' ? 'SYCL is left out' : 'No SYCL runtime can be provided';
  return `${what}: ${reason}.\nTo get it: ${remedy}.`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const outcome = await provide();
  const ready = outcome.state === 'ready';
  console.log(ready ? `SYCL runtime: ${outcome.library}` : explain(outcome));
  process.exitCode = ready ? 0 : 1;
}
