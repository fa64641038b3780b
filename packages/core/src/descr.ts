import { asList, type Dict, entryOf, lengthOf, readList } from './dict.js';
import type { DType, Field } from './dtype.js';
import { ArrayInterfaceError } from './error.js';
import { readDimension } from './integer.js';
import { makeRecord } from './record.js';
import { show } from './show.js';
import { parseTypestr, type TypestrRules } from './typestr.js';

/** A field as `descr` has it: `[name, type]` or `[name, type, shape]`; a name may be `[title, name]`. */
export type DescrEntry =
  | readonly [name: string | readonly [title: string, name: string], type: string | Descr]
  | readonly [
      name: string | readonly [title: string, name: string],
      type: string | Descr,
      shape: readonly number[],
    ];
/** NumPy's `descr`: the fields of a record in order, padding under the name `''`. */
export type Descr = readonly DescrEntry[];

/** Records nested deeper than this are refused. */
const MAX_DEPTH = 32;
/** A list that stands in itself many times over has more fields than any memory. */
const MAX_FIELDS = 2 ** 16;

/** The keys `typestr` and `descr` of a dict. Throws as `parseTypestr` and `readDescr` do. */
export function readElement(dict: Dict, rules: TypestrRules): DType {
  const plain = parseTypestr(dict.required('typestr'), dict.path('typestr'), rules);
  const descr = dict.optional('descr');
  if (descr === null || descr === undefined) return plain;
  return readDescr(descr, plain, dict.path('descr'));
}

/**
 * Joins `descr` and the typestr it stands beside: the record it describes, or `plain` where it says
 * nothing more. Implements NumPy's array interface, `descr`. Throws ERR_TYPE, ERR_DESCR,
 * ERR_TYPESTR, ERR_DTYPE_UNSUPPORTED, ERR_NEGATIVE_DIMENSION, ERR_OVERFLOW.
 */
export function readDescr(value: unknown, plain: DType, path: string): DType {
  const fields = readFields(value, path, 0, { left: MAX_FIELDS });
  const only = fields.length === 1 ? (fields[0] as Field) : null;
  if (only !== null && only.name === '' && only.shape.length === 0) {
    if (only.dtype.typestr === plain.typestr && only.dtype.fields === null) return plain;
    throw contradiction(path, only.dtype.typestr, plain);
  }
  if (plain.kind !== 'V') throw contradiction(path, 'a record', plain);
  const record = join(fields, path);
  if (record.itemsize === plain.itemsize) return record;
  throw contradiction(path, `${record.itemsize} bytes`, plain);
}

/** `descr` of a record, padding spelled out. Does not check. */
export function toDescr(record: DType): Descr {
  const entries: DescrEntry[] = [];
  let end = 0;
  const pad = (to: number) => {
    if (to > end) entries.push(['', `|V${to - end}`]);
  };
  for (const field of record.fields ?? []) {
    pad(field.offset);
    const name = field.title === null ? field.name : ([field.title, field.name] as const);
    const type = field.dtype.fields === null ? field.dtype.typestr : toDescr(field.dtype);
    entries.push(field.shape.length === 0 ? [name, type] : [name, type, field.shape]);
    end = field.offset + field.itemsize;
  }
  pad(record.itemsize);
  return entries;
}

/** How many more fields a descr may have, those of records inside it too. */
interface Budget {
  left: number;
}

function readFields(value: unknown, path: string, depth: number, budget: Budget): Field[] {
  const list = asList(value, path, 'a list of fields');
  const length = lengthOf(list, path, 'a list of fields');
  if (length === 0) {
    throw new ArrayInterfaceError(
      'ERR_DESCR',
      path,
      'expected at least one field, got an empty list; leave descr out for a plain dtype',
    );
  }
  budget.left -= length;
  if (budget.left < 0) {
    throw new ArrayInterfaceError(
      'ERR_DESCR',
      path,
      `expected at most ${MAX_FIELDS} fields in all, got more; use sub-arrays`,
    );
  }
  const fields: Field[] = [];
  for (let index = 0; index < length; index++) {
    fields.push(readEntry(entryOf(list, index, path), `${path}[${index}]`, depth, budget));
  }
  return fields;
}

/** The record whose fields follow one another; those without a name are padding. */
function join(fields: readonly Field[], path: string): DType {
  let end = 0;
  const placed = fields.map((field) => {
    const offset = end;
    end += field.itemsize;
    return { ...field, offset };
  });
  const named = placed.filter(({ name }) => name !== '');
  return makeRecord(end, named, path);
}

function readEntry(value: unknown, path: string, depth: number, budget: Budget): Field {
  const entry = readList(value, path, 'a field [name, type] or [name, type, shape]');
  if (entry.length !== 2 && entry.length !== 3) {
    throw new ArrayInterfaceError(
      'ERR_DESCR',
      path,
      `expected [name, type] or [name, type, shape], got ${entry.length} entries`,
    );
  }
  const { title, name } = readName(entry[0], `${path}[0]`);
  const dtype = readType(entry[1], `${path}[1]`, depth, budget);
  const shape = entry.length === 2 ? [] : readSubArray(entry[2], `${path}[2]`);
  const itemsize = shape.reduce((size, length) => size * length, dtype.itemsize);
  return { name, title, offset: 0, dtype, shape, itemsize };
}

function readName(value: unknown, path: string): { title: string | null; name: string } {
  if (typeof value === 'string') return { title: null, name: value };
  const pair = readList(value, path, 'a name or [title, name]');
  const [title, name] = pair;
  if (pair.length === 2 && typeof title === 'string' && typeof name === 'string') {
    return { title, name };
  }
  throw new ArrayInterfaceError(
    pair.length === 2 ? 'ERR_TYPE' : 'ERR_DESCR',
    path,
    'expected a name or [title, name], both strings, got something else',
  );
}

function readType(value: unknown, path: string, depth: number, budget: Budget): DType {
  if (typeof value === 'string') return parseTypestr(value, path);
  if (depth < MAX_DEPTH) return join(readFields(value, path, depth + 1, budget), path);
  throw new ArrayInterfaceError(
    'ERR_DESCR',
    path,
    `expected records nested at most ${MAX_DEPTH} deep, got more; flatten the record`,
  );
}

function readSubArray(value: unknown, path: string): number[] {
  return readList(value, path, 'the shape of a sub-array').map((length, axis) =>
    readDimension(length, path, axis),
  );
}

function contradiction(path: string, got: string, plain: DType): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_DESCR',
    path,
    `expected a description of ${show(plain.typestr)} (${plain.itemsize} bytes), got ${got}; ` +
      'make descr and typestr agree',
  );
}
