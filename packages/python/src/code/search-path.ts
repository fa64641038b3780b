import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { isElevated } from '@array-interface/core/backend';
import { modulePath } from '../module-path.js';
import type { PyObject } from '../objects/py-object.js';
import type { Python } from '../python.js';

/**
 * The folder of the program that Node runs, as `python3 program.py` searches it. Without one that of
 * the moment, which Python writes as ''. Nothing if Python was told to be safe (`PYTHONSAFEPATH`).
 */
export function usualPath(python: Python): string[] {
  const sys = python.import('sys');
  const flags = sys.get('flags');
  if (flags.has('safe_path') && flags.get<boolean>('safe_path')) return [];
  const program = process.argv[1];
  if (program !== undefined && existsSync(program)) return [dirname(realpathSync(program))];
  return isElevated(createRequire(modulePath)) ? [] : [''];
}

/** Puts folders in front of Python's `sys.path`, but for those that are there. */
export function searchFirst(python: Python, folders: readonly string[]): void {
  const sys = python.import('sys');
  const path = sys.get<PyObject>('path');
  for (const folder of [...folders].reverse()) {
    const place = folder === '' ? '' : resolve(folder);
    if (!path.contains(place)) path.callMethod('insert', [0, place]);
  }
}
