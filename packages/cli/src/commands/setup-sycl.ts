import { existsSync } from 'node:fs';
import path from 'node:path';
import { printable } from '@array-interface/core';
import { writeLine } from '../output/write-line.js';

export interface SetupOptions {
  /** True to install a runtime for this project alone. */
  readonly here?: true;
}

/**
 * Provides a SYCL runtime and reports how it went: one for all of the user's projects, or one for
 * the project around `folder`. Settles once pip has ended. Returns whether a runtime is available
 * now.
 */
export async function setupSycl(folder: string, { here }: SetupOptions): Promise<boolean> {
  // Loaded here, since few runs of the command need it.
  const { provideSyclRuntime } = await import('../sycl-runtime/provide.js');
  const { sharedRuntime } = await import('@array-interface/sycl');
  const own = path.join(projectOf(folder), '.sycl-runtime');
  const target = here ? own : sharedRuntime(process.env);
  if (target === null) {
    return refused({
      reason: "the user has no home folder for the user's cache",
      remedy: 'name a folder for it in XDG_CACHE_HOME, or add --here',
    });
  }
  const outcome = await provideSyclRuntime({
    target,
    log: (line) => process.stdout.write(`${printable(line)}\n`),
    ...(!here && { from: folder }),
  });
  if (outcome.state !== 'ready') return refused(outcome);
  await writeLine(printable(`SYCL runtime: ${outcome.library}`));
  return true;
}

async function refused({ reason, remedy }: { reason: string; remedy: string }): Promise<false> {
  await writeLine(printable(`no SYCL runtime: ${reason}`), 'stderr');
  await writeLine(printable(`to get it: ${remedy}`), 'stderr');
  return false;
}

/** The nearest folder upwards that contains a package.json, or `folder` itself. */
function projectOf(folder: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, 'package.json'))) return at;
    if (path.dirname(at) === at) return folder;
  }
}
