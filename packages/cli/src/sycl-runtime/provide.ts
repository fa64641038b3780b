import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Found, findRuntime } from './find.js';
import { withLock } from './lock.js';
import { makeRuntime } from './make.js';
import { Failure, type Outcome } from './outcome.js';
import { findPython } from './python.js';

export type { Outcome } from './outcome.js';

/** Where and with what a runtime is provided. */
export interface ProvideOptions {
  /** The folder that gets `.sycl-runtime`. */
  readonly directory: string;
  /** Takes each line of progress. */
  readonly log: (line: string) => void;
  /** The environment that names what to look for; default that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Says whether a runtime is there; by default the SYCL backend itself is asked. */
  readonly find?: () => Found;
}

// What the backend says when it cannot even look for a runtime.
const NO_ADDON = 'the SYCL addon cannot be loaded';

// Does not replace a runtime that cannot be used: that would fetch it anew every time.
function refuse(found: Found, target: string, env: NodeJS.ProcessEnv): void {
  if (found.available) return;
  const { reason, tried } = found;
  if (reason === NO_ADDON) {
    throw new Failure(
      `${reason}: ${tried.join('; ')}`,
      'run npm run setup in the repository, or install @array-interface/sycl again',
    );
  }
  if (env.ARRAY_INTERFACE_DPCTL_LIBRARY) {
    throw new Failure(
      `ARRAY_INTERFACE_DPCTL_LIBRARY names no runtime that works: ${tried.join('; ')}`,
      'correct it, or run this again without it',
    );
  }
  if (existsSync(target)) {
    throw new Failure(
      `${target} is there and cannot be used: ${[reason, ...tried].join('; ')}`,
      'remove that folder and run this again',
    );
  }
}

async function make(
  { directory, log }: ProvideOptions,
  env: NodeJS.ProcessEnv,
  find: () => Found,
): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Failure(
      `the pinned dpctl has no wheels for ${process.platform} ${process.arch}, only for linux x64`,
      'build dpctl yourself and name its library in ARRAY_INTERFACE_DPCTL_LIBRARY',
    );
  }
  const target = path.join(directory, '.sycl-runtime');
  const onWait = (pid: number): void => {
    log(`process ${pid} is providing the SYCL runtime; waiting for it`);
  };
  return withLock(`${target}.partial`, onWait, async () => {
    const before = find();
    if (before.available) return before.library;
    refuse(before, target, env);
    await makeRuntime(findPython(env), target, `${target}.partial`, log, env);
    const made = find();
    if (made.available) return made.library;
    refuse(made, target, env);
    throw new Failure(`${target} was made and is not found`, 'run this again');
  });
}

/**
 * Provides a SYCL runtime. Does nothing if one is found or ARRAY_INTERFACE_SYCL is 0; else makes the
 * pinned one in `directory/.sycl-runtime` with pip (1.6 GB, once). Never throws: the outcome says what
 * is missing, and how to get it. Waits for pip.
 */
export async function provideSyclRuntime(options: ProvideOptions): Promise<Outcome> {
  const { directory, env = process.env, find = () => findRuntime(directory, env) } = options;
  if (env.ARRAY_INTERFACE_SYCL === '0') {
    return {
      state: 'left out',
      reason: 'ARRAY_INTERFACE_SYCL is 0',
      remedy: 'run this again without that variable',
    };
  }
  try {
    const found = find();
    return {
      state: 'ready',
      library: found.available ? found.library : await make(options, env, find),
    };
  } catch (error) {
    const remedy = error instanceof Failure ? error.remedy : 'mend that and run this again';
    return { state: 'failed', reason: (error as Error).message, remedy };
  }
}
