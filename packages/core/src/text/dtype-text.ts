import type { DType, RecordField } from '../dtype/dtype.js';
import { quoted } from './python-text.js';

const NUMBERS: Readonly<Record<string, string>> = {
  b: 'bool',
  i: 'int',
  u: 'uint',
  f: 'float',
  c: 'complex',
};
/** Dtypes that a list of Python's own numbers has. */
const IMPLIED: ReadonlySet<string> = new Set(['|b1', '<i8', '<f8', '<c16']);

/** Returns whether a text of the elements tells the dtype, as `[1, 2]` and `[True, False]` do. */
export function isImplied({ typestr, fields }: DType): boolean {
  return fields === null && IMPLIED.has(typestr);
}

/** Returns a dtype as in the `repr` of an array of NumPy. */
export function dtypeText(dtype: DType): string {
  const { kind, typestr, itemsize, byteOrder, fields } = dtype;
  if (fields !== null) return recordText(dtype);
  if (kind === 'V' && dtype.name !== undefined) return dtype.name;
  const number = NUMBERS[kind];
  if (byteOrder === 'big' || 'SUV'.includes(kind)) return `'${typestr}'`;
  if (number !== undefined) return kind === 'b' ? number : `${number}${itemsize * 8}`;
  const unit = typestr.slice(3);
  const name = kind === 'M' ? 'datetime64' : 'timedelta64';
  return unit === '' ? name : `'${name}${unit}'`;
}

function recordText(dtype: DType): string {
  const fields = dtype.fields ?? [];
  if (isPacked(dtype)) {
    return `[${fields.map((field) => `(${nameText(field)}, ${typeText(field, ', ')})`).join(', ')}]`;
  }
  const names = fields.map(({ name }) => quoted(name));
  const formats = fields.map((field) => formatText(field));
  const titles = fields.map(({ title }) => (title === null ? 'None' : quoted(title)));
  return [
    `{'names': [${names.join(', ')}]`,
    `'formats': [${formats.join(', ')}]`,
    `'offsets': [${fields.map(({ offset }) => offset).join(', ')}]`,
    ...(fields.some(({ title }) => title !== null) ? [`'titles': [${titles.join(', ')}]`] : []),
    `'itemsize': ${dtype.itemsize}}`,
  ].join(', ');
}

/** Whether fields follow one another without gaps. */
function isPacked({ fields, itemsize }: DType): boolean {
  let end = 0;
  for (const field of fields ?? []) {
    if (field.offset !== end) return false;
    end += field.itemsize;
  }
  return end === itemsize;
}

function nameText({ name, title }: RecordField): string {
  return title === null ? quoted(name) : `(${quoted(title)}, ${quoted(name)})`;
}

function formatText(field: RecordField): string {
  return field.shape.length === 0 ? typeText(field, '') : `(${typeText(field, ', ')})`;
}

function typeText({ dtype, shape }: RecordField, separator: string): string {
  const type = dtype.fields === null ? `'${shortTypestr(dtype)}'` : recordText(dtype);
  return shape.length === 0 ? type : `${type}${separator}${tupleText(shape)}`;
}

function shortTypestr({ kind, typestr }: DType): string {
  return kind === 'b' ? '?' : typestr.replace(/^\|/, '');
}

/** Returns a shape as Python writes it. */
export function tupleText(shape: readonly number[]): string {
  return `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
}
