import { existsSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { hasMoreRights } from '../find-python.js';
import type { PyObject } from '../objects/py-object.js';

/**
 * The folder of the program that Node runs, as `python3 program.py` searches it. Without one that of
 * the moment, which Python writes as ''. Nothing if Python was told to be safe (`PYTHONSAFEPATH`).
 */
export function usualPath(sys: PyObject): string[] {
  const flags = sys.get('flags');
  if (flags.has('safe_path') && flags.get<boolean>('safe_path')) return [];
  const program = process.argv[1];
  if (program !== undefined && existsSync(program)) return [dirname(realpathSync(program))];
  return hasMoreRights() ? [] : [''];
}

/** Puts folders in front of Python's `sys.path`, but for those that are there. */
export function searchFirst(sys: PyObject, folders: readonly string[]): void {
  const path = sys.get<PyObject>('path');
  for (const folder of [...folders].reverse()) {
    const place = folder === '' ? '' : resolve(folder);
    if (!path.contains(place)) path.callMethod('insert', [0, place]);
  }
}
