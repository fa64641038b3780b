import { readFileSync } from 'node:fs';

/**
 * Files of a backend's addon that this process has loaded; null if the system does not report them.
 */
export function loadedAddons(name: string): string[] | null {
  if (process.platform !== 'linux') return null;
  const files = readFileSync('/proc/self/maps', 'utf8').match(/(?<= )\/.*\.node$/gm) ?? [];
  return [...new Set(files)].filter((file) => file.endsWith(`/${name}.node`));
}
