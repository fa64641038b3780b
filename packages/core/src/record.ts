import type { DType, Field } from './dtype.js';
import { ArrayInterfaceError } from './error.js';
import { show } from './show.js';

/**
 * A record of `itemsize` bytes, frozen; without fields an opaque item. The fields, frozen already, follow
 * one another; their list becomes its own.
 * Throws ERR_OVERFLOW when it is too large, ERR_DESCR for duplicate names.
 */
export function makeRecord(itemsize: number, fields: readonly Field[], path: string): DType {
  if (!Number.isSafeInteger(itemsize)) {
    throw new ArrayInterfaceError(
      'ERR_OVERFLOW',
      path,
      `expected a record of at most 2^53 - 1 bytes, got ${itemsize}; make its sub-arrays smaller`,
    );
  }
  const names = new Set<string>();
  for (const { name, title } of fields) {
    addName(names, name, path);
    if (title !== null) addName(names, title, path);
  }
  return Object.freeze({
    kind: 'V',
    itemsize,
    byteOrder: 'none',
    typestr: `|V${itemsize}`,
    fields: fields.length === 0 ? null : Object.freeze(fields),
  });
}

function addName(names: Set<string>, name: string, path: string): void {
  if (!names.has(name)) {
    names.add(name);
    return;
  }
  throw new ArrayInterfaceError(
    'ERR_DESCR',
    path,
    `expected fields of different names, got ${show(name)} twice; rename one`,
  );
}
