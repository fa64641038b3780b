import path from 'node:path';
import { withLock } from './lock.js';
import { makeRuntime } from './make.js';
import { Failure, type Outcome } from './outcome.js';
import { findPython } from './python.js';

export type { Outcome } from './outcome.js';

/** Where and with what a runtime is provided. */
export interface ProvideOptions {
  /** The folder that gets `.sycl-runtime`. */
  readonly directory: string;
  /** Says where a runtime was found, or null if there is none. */
  readonly find: () => string | null;
  /** Takes each line of progress. */
  readonly log: (line: string) => void;
  readonly env?: NodeJS.ProcessEnv;
}

async function make(options: ProvideOptions, env: NodeJS.ProcessEnv): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Failure(
      `the pinned dpctl has no wheels for ${process.platform} ${process.arch}, only for linux x64`,
      'build dpctl yourself and name its library in ARRAY_INTERFACE_DPCTL_LIBRARY',
    );
  }
  const python = findPython(env);
  const target = path.join(options.directory, '.sycl-runtime');
  const partial = `${target}.partial`;
  const onWait = (pid: number): void => {
    options.log(`process ${pid} is providing the SYCL runtime; waiting for it`);
  };
  return withLock(partial, onWait, async () => {
    const made = options.find();
    if (made !== null) return made;
    await makeRuntime(python, target, partial, options.log, env);
    const found = options.find();
    if (found !== null) return found;
    throw new Failure(
      `what was installed in ${target} is not found as a runtime`,
      `remove ${target} and run this again`,
    );
  });
}

/**
 * Provides a SYCL runtime: nothing is done if one is found or ARRAY_INTERFACE_SYCL is 0, else
 * the pinned one is made in `directory/.sycl-runtime` with pip (1.6 GB, once). Never throws: what
 * is missing, and how to get it, is in the outcome. Waits for pip.
 */
export async function provideSyclRuntime(options: ProvideOptions): Promise<Outcome> {
  const env = options.env ?? process.env;
  if (env.ARRAY_INTERFACE_SYCL === '0') {
    return {
      state: 'left out',
      reason: 'ARRAY_INTERFACE_SYCL is 0',
      remedy: 'run this again without that variable',
    };
  }
  try {
    return { state: 'ready', found: options.find() ?? (await make(options, env)) };
  } catch (error) {
    const remedy = error instanceof Failure ? error.remedy : 'mend that and run this again';
    return { state: 'failed', reason: (error as Error).message, remedy };
  }
}
