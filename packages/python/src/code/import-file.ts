import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ArrayInterfaceError } from '@array-interface/core';
import { show } from '@array-interface/core/backend';
import { addon } from '../addon.js';
import type { PyObject } from '../objects/py-object.js';

/** Implements `Python.importFile`. */
export function importFile(file: string | URL): PyObject {
  return addon().importFile(pathOf(file)) as PyObject;
}

function pathOf(file: unknown): string {
  if (file instanceof URL) return fileURLToPath(file);
  if (typeof file === 'string') return resolve(file);
  const message = `expected a path or a URL, got ${show(file)}; pass the file's`;
  throw new ArrayInterfaceError('ERR_TYPE', 'file', message);
}
