import path from 'node:path';
import { isProgram, root } from '../run.mjs';

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

/** Provides it, and returns the path of its library. Throws if it cannot be provided. */
export async function demandRuntime() {
  const outcome = await provide();
  if (outcome.state !== 'ready') throw new Error(explain(outcome));
  return outcome.library;
}

/** One or two lines for an outcome that is not ready. */
export function explain({ state, reason, remedy }) {
  const what = state === 'left out' ? 'SYCL is left out' : 'No SYCL runtime can be provided';
  return `${what}: ${reason}.\nTo get it: ${remedy}.`;
}

if (isProgram(import.meta)) {
  const outcome = await provide();
  const ready = outcome.state === 'ready';
  console.log(ready ? `SYCL runtime: ${outcome.library}` : explain(outcome));
  process.exitCode = ready ? 0 : 1;
}
