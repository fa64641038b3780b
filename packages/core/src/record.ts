import type { DType, Field } from './dtype.js';
import { ArrayInterfaceError } from './error.js';
import { show } from './show.js';

/**
 * A record of `itemsize` bytes, frozen; without fields an opaque item. Throws ERR_OVERFLOW when it
 * is too large, ERR_DESCR for duplicate names or fields that overlap or do not follow one another.
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
  let end = 0;
  for (const field of fields) {
    for (const name of field.title === null ? [field.name] : [field.name, field.title]) {
      if (names.has(name)) throw refuse(path, `fields of different names, got ${show(name)} twice`);
      names.add(name);
    }
    if (field.offset < end) {
      throw refuse(path, `fields one after another, got ${show(field.name)} overlapping another`);
    }
    end = field.offset + field.itemsize;
  }
  if (end > itemsize)
    throw refuse(path, `fields within ${itemsize} bytes, got ${end} bytes of them`);
  return Object.freeze({
    kind: 'V',
    itemsize,
    byteOrder: 'none',
    typestr: `|V${itemsize}`,
    fields: fields.length === 0 ? null : Object.freeze(fields.map(freezeField)),
  });
}

function freezeField(field: Field): Field {
  return Object.freeze({ ...field, shape: Object.freeze([...field.shape]) });
}

function refuse(path: string, problem: string): ArrayInterfaceError {
  return new ArrayInterfaceError('ERR_DESCR', path, `expected ${problem}; mend the description`);
}
