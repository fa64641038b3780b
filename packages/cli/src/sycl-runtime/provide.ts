import { existsSync } from 'node:fs';
import { type Environment, whyNoRuntime } from '@array-interface/sycl';
import { Failure } from '../output/failure.js';
import { type Found, findRuntime, findRuntimeIn } from './find.js';
import { withLock } from './lock.js';
import { makeRuntime } from './make.js';
import { findPython } from './python.js';
import { requirements } from './requirements.js';

/** The result of providing a SYCL runtime. */
export type Outcome =
  | { readonly state: 'ready'; readonly library: string }
  | { readonly state: 'left out'; readonly reason: string; readonly remedy: string }
  | { readonly state: 'failed'; readonly reason: string; readonly remedy: string };

/** Where and how a runtime is provided. */
export interface ProvideOptions {
  /** The folder that becomes the runtime. */
  readonly target: string;
  /** Receives each line of progress. */
  readonly log: (line: string) => void;
  /** The environment variables that name what to look for. Default: those of this process. */
  readonly env?: Environment;
  /**
   * A working folder. Any runtime that the backend finds from it is accepted. Default: only the one
   * in `target` is.
   */
  readonly from?: string;
  /** Reports whether a runtime exists. Default: queries the backend. */
  readonly find?: () => Found;
  /** The packages of a runtime for Python 3.minor. Default: the pinned ones, with their hashes. */
  readonly packages?: typeof requirements;
}

// What the backend reports missing if it cannot even look for a runtime.
const ADDON = 'the sycl addon';

// Returns the library of a runtime, or null if there is none. Throws rather than replace a runtime
// that cannot be used, which would be fetched again every time.
function usable(found: Found, target: string, env: Environment): string | null {
  if (found.available) return found.library;
  const { reason, tried } = found;
  if (reason.includes(ADDON)) {
    throw new Failure(reason, 'install @array-interface/sycl again');
  }
  if (env.ARRAY_INTERFACE_DPCTL_LIBRARY) {
    throw new Failure(
      `ARRAY_INTERFACE_DPCTL_LIBRARY names a runtime that does not work: ${tried.join('; ')}`,
      'correct it, or run this again without it',
    );
  }
  if (existsSync(target)) {
    throw new Failure(
      `${target} exists but cannot be used: ${[reason, ...tried].join('; ')}`,
      'remove that folder and run this again',
    );
  }
  return null;
}

async function make(
  { target, log, packages = requirements }: ProvideOptions,
  env: Environment,
  find: () => Found,
): Promise<string> {
  const elsewhere = whyNoRuntime();
  if (elsewhere !== null) throw new Failure(elsewhere.reason, elsewhere.remedy);
  const partial = `${target}.partial`;
  const onWait = (holder: string): void =>
    log(`${holder} is providing the SYCL runtime; waiting for it`);
  return withLock(partial, onWait, async () => {
    const before = usable(find(), target, env);
    if (before !== null) return before;
    await makeRuntime(findPython(env), target, partial, packages, log, env);
    const made = usable(find(), target, env);
    if (made !== null) return made;
    throw new Failure(`${target} was made but is not found`, 'run this again');
  });
}

/**
 * Provides a SYCL runtime. Does nothing if one is found, or if ARRAY_INTERFACE_SYCL is 0. Otherwise
 * uses pip to make `target`, a virtual environment of pinned packages (1.6 GB, once). Resumes an
 * interrupted attempt, and waits for a concurrent one. Never throws: the outcome reports what is
 * missing, and how to get it. Settles once pip has ended.
 */
export async function provideSyclRuntime(options: ProvideOptions): Promise<Outcome> {
  const { target, from, env = process.env } = options;
  const look = from === undefined ? () => findRuntimeIn(target, env) : () => findRuntime(from, env);
  const { find = look } = options;
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
    const { message: reason, remedy } = error as Failure; // another error has no remedy
    return { state: 'failed', reason, remedy: remedy ?? 'fix that and run this again' };
  }
}
