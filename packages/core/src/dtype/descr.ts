import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { type Dict, entryOf, lengthOf } from '../input/dict.js';
import { at } from '../input/integer.js';
import { checkCounts, readShape } from '../input/shape.js';
import type { DType, RecordField } from './dtype.js';
import { makeDType } from './make-dtype.js';
import { type FieldBudget, MAX_FIELDS, spend } from './to-descr.js';
import { knownDTypes, parseTypestr, type TypestrRules } from './typestr.js';

/** Records nested deeper than this are rejected. */
const MAX_DEPTH = 32;
const NO_AXES: readonly number[] = Object.freeze([]);
const FIELD = '[name, type] or [name, type, shape]';

/** What an entry declares about a field. Its offset follows from the entries before it. */
type Part = Omit<RecordField, 'offset'>;

/** How the fields of a descr are read. */
interface Reading extends FieldBudget {
  /** Reads a type that is a string. */
  readonly read: (text: string, path: string) => DType;
}

/** Reads `typestr` and `descr` of a dict. Throws what `parseTypestr` and `readDescr` throw. */
export function readElement(dict: Dict, rules: TypestrRules): DType {
  const plain = parseTypestr(dict.required('typestr'), dict.path('typestr'), rules);
  const descr = dict.optional('descr');
  if (descr === null || descr === undefined) return plain;
  return readDescr(descr, plain, dict.path('descr'));
}

/**
 * Reads the `descr` beside a typestr. Returns the record it describes, or `plain` if it adds
 * nothing. Implements NumPy's array interface, `descr`. Throws ERR_TYPE, ERR_DESCR, ERR_TYPESTR,
 * ERR_DTYPE_UNSUPPORTED, ERR_NEGATIVE_DIMENSION, ERR_OVERFLOW.
 */
export function readDescr(value: unknown, plain: DType, path: string): DType {
  const fields = readFields(value, path, 0, { left: MAX_FIELDS, read: parseTypestr });
  const only = fields.length === 1 ? (fields[0] as Part) : null;
  if (only !== null && only.name === '' && only.shape.length === 0) {
    if (only.dtype.typestr === plain.typestr && only.dtype.fields === null) return plain;
    throw contradiction(path, only.dtype.typestr, plain);
  }
  if (plain.kind !== 'V') throw contradiction(path, 'a record', plain);
  const record = join(fields, path);
  if (record.itemsize === plain.itemsize) return record;
  throw contradiction(path, `${record.itemsize} bytes`, plain);
}

/**
 * Reads a list of fields without a typestr; `read` reads their types. Throws what `readDescr`
 * throws.
 */
export function readRecord(value: unknown, path: string, read: Reading['read']): DType {
  return join(readFields(value, path, 0, { left: MAX_FIELDS, read }), path);
}

function readFields(value: unknown, path: string, depth: number, reading: Reading): Part[] {
  const length = lengthOf(value, path, 'a list of fields');
  if (length === 0) {
    throw mismatch(
      'ERR_DESCR',
      path,
      'at least one field',
      'an empty list',
      'leave descr out for a plain dtype',
    );
  }
  spend(reading, length, path);
  const fields: Part[] = [];
  for (let index = 0; index < length; index++) {
    fields.push(readEntry(entryOf(value, index, path), path, index, depth, reading));
  }
  return fields;
}

/** Makes a record of consecutive fields; a field without a name is padding. */
function join(fields: readonly Part[], path: string): DType {
  let end = 0;
  const named: RecordField[] = [];
  for (const { name, title, dtype, shape, itemsize } of fields) {
    if (name !== '')
      named.push(Object.freeze({ name, title, offset: end, dtype, shape, itemsize }));
    end += itemsize;
  }
  return makeRecord(end, named, path);
}

/** Reads entry `index` of the list at `path`. Builds the path of a part only when needed. */
function readEntry(
  value: unknown,
  path: string,
  index: number,
  depth: number,
  reading: Reading,
): Part {
  const length = lengthOf(value, path, FIELD, 'ERR_TYPE', index);
  if (length !== 2 && length !== 3) {
    throw mismatch('ERR_DESCR', at(path, index), FIELD, `${length} entries`);
  }
  const part = (place: number) => at(at(path, index), place);
  const first = entryOf(value, 0, path, index);
  const [title, name] = typeof first === 'string' ? [null, first] : readNames(first, part(0));
  const type = entryOf(value, 1, path, index);
  const dtype = knownDTypes.get(type as string) ?? readType(type, part(1), depth, reading);
  if (length === 2) return { name, title, dtype, shape: NO_AXES, itemsize: dtype.itemsize };
  const shape = Object.freeze(readShape(entryOf(value, 2, path, index), part(2)));
  const itemsize = checkCounts(shape, dtype.itemsize, part(2)) * dtype.itemsize;
  return { name, title, dtype, shape, itemsize };
}

function readNames(value: unknown, path: string): [title: string, name: string] {
  const isPair = lengthOf(value, path, 'a name or [title, name]') === 2;
  const [title, name] = isPair ? [entryOf(value, 0, path), entryOf(value, 1, path)] : [];
  if (typeof title === 'string' && typeof name === 'string') return [title, name];
  throw mismatch(
    isPair ? 'ERR_TYPE' : 'ERR_DESCR',
    path,
    'a name or [title, name], both strings',
    'something else',
  );
}

function readType(value: unknown, path: string, depth: number, reading: Reading): DType {
  if (typeof value === 'string') return reading.read(value, path);
  if (depth < MAX_DEPTH) return join(readFields(value, path, depth + 1, reading), path);
  throw mismatch(
    'ERR_DESCR',
    path,
    `records nested at most ${MAX_DEPTH} deep`,
    'more',
    'flatten the record',
  );
}

function contradiction(path: string, got: string, plain: DType): ArrayInterfaceError {
  return mismatch(
    'ERR_DESCR',
    path,
    `a description of ${show(plain.typestr)} (${plain.itemsize} bytes)`,
    got,
    'make descr and typestr agree',
  );
}

/**
 * Makes a frozen record of `itemsize` bytes, or an opaque item if there are no fields. Keeps and
 * freezes the list; its fields are already frozen and consecutive. Throws ERR_OVERFLOW if the
 * record is too large, ERR_DESCR for duplicate names.
 */
function makeRecord(itemsize: number, fields: readonly RecordField[], path: string): DType {
  if (!Number.isSafeInteger(itemsize)) {
    throw mismatch(
      'ERR_OVERFLOW',
      path,
      'a record of at most 2^53 - 1 bytes',
      itemsize,
      'make its sub-arrays smaller',
    );
  }
  const names = new Set<string>();
  for (const { name, title } of fields) {
    addName(names, name, path);
    if (title !== null) addName(names, title, path);
  }
  return makeDType({
    kind: 'V',
    itemsize,
    byteOrder: 'none',
    typestr: `|V${itemsize}`,
    fields: fields.length === 0 ? null : Object.freeze(fields),
  });
}

function addName(names: Set<string>, name: string, path: string): void {
  if (names.has(name)) {
    const twice = `${show(name)} twice`;
    throw mismatch('ERR_DESCR', path, 'fields with different names', twice, 'rename one');
  }
  names.add(name);
}
