import { readFileSync } from 'node:fs';

/**
 * The path of a library of that file name that this process has loaded, as a Python in it does; null: none. Never
 * throws.
 */
export function loadedLibrary(name: string): string | null {
  const line = mappings().find((one) => one.endsWith(`/${name}`));
  return line === undefined ? null : line.slice(line.indexOf('/'));
}

/** The lines of this process's table of mappings. */
function mappings(): string[] {
  try {
    return readFileSync('/proc/self/maps', 'utf8').split('\n');
  } catch {
    return []; // another system than Linux
  }
}
