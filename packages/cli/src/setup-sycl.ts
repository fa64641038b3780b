import { existsSync } from 'node:fs';
import path from 'node:path';
import { printable } from '@array-interface/core';
import { writeLine } from './write-line.js';

/**
 * Provides a SYCL runtime for the project around `folder` and says how it went. Waits for pip.
 * Returns whether one is there now.
 */
export async function setupSycl(folder: string): Promise<boolean> {
  // Loaded here, since few runs of the command need it.
  const { provideSyclRuntime } = await import('./sycl-runtime/provide.js');
  const directory = projectOf(folder);
  const outcome = await provideSyclRuntime({
    directory,
    log: (line) => process.stdout.write(`${printable(line)}\n`),
  });
  if (outcome.state === 'ready') {
    await writeLine(printable(`SYCL runtime: ${outcome.library}`));
    return true;
  }
  await writeLine(printable(`no SYCL runtime: ${outcome.reason}`), 'stderr');
  await writeLine(printable(`to get it: ${outcome.remedy}`), 'stderr');
  return false;
}

/** The nearest folder upwards that holds a package.json, or `folder` itself. */
function projectOf(folder: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, 'package.json'))) return at;
    if (path.dirname(at) === at) return folder;
  }
}
