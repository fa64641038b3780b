import type { DType, RecordField } from '@array-interface/core';

/** PEP 3118's letters for numbers with an explicit byte order, by kind and size. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ b1: '?', i1: 'b', i2: 'h', i4: 'i', i8: 'q', u1: 'B', u2: 'H', u4: 'I', u8: 'Q' },
  ...{ f2: 'e', f4: 'f', f8: 'd', c8: 'Zf', c16: 'Zd' },
};

/** How Python describes a record. */
export interface RecordWords {
  /** The `descr` of the interface dict, as a Python expression. */
  readonly descr: string;
  /** PEP 3118's format. Empty if it has none: for dates, titles, and names with a colon. */
  readonly format: string;
}

const known = new WeakMap<DType, RecordWords>();

/** The descriptions of a record. They are made once for each dtype. */
export function recordWords(dtype: DType): RecordWords {
  let words = known.get(dtype);
  if (words === undefined) {
    words = { descr: descrOf(dtype), format: formatOf(dtype) ?? '' };
    known.set(dtype, words);
  }
  return words;
}

/** A list of tuples, with padding spelled out. JSON's strings are valid in Python too. */
function descrOf(record: DType): string {
  const entries = withPadding(record, (size) => `("", "|V${size}")`, describe);
  return `[${entries.join(', ')}]`;
}

function describe({ name, title, dtype, shape }: RecordField): string {
  const label =
    title === null ? JSON.stringify(name) : `(${JSON.stringify(title)}, ${JSON.stringify(name)})`;
  const type = dtype.fields === null ? JSON.stringify(dtype.typestr) : descrOf(dtype);
  const axes = shape.length === 0 ? '' : `, (${shape.join(', ')},)`;
  return `(${label}, ${type}${axes})`;
}

/** Null if a field has no format. */
function formatOf(record: DType): string | null {
  const parts = withPadding<string | null>(record, (size) => `${size}x`, formatOfField);
  return parts.includes(null) ? null : `T{${parts.join('')}}`;
}

function formatOfField({ name, title, dtype, shape }: RecordField): string | null {
  if (title !== null || name.includes(':') || name.includes('\0')) return null;
  const type = dtype.fields === null ? formatOfPlain(dtype) : formatOf(dtype);
  const axes = shape.length === 0 ? '' : `(${shape.join(',')})`;
  return type === null ? null : `${axes}${type}:${name}:`;
}

function formatOfPlain({ kind, itemsize, byteOrder }: DType): string | null {
  const order = byteOrder === 'big' ? '>' : '<';
  if (kind === 'V') return `${itemsize}x`;
  if (kind === 'S') return `${itemsize}s`;
  if (kind === 'U') return `${order}${itemsize / 4}w`;
  const letter = LETTERS[`${kind}${itemsize}`];
  return letter === undefined ? null : `${order}${letter}`;
}

/** The parts of a record in byte order. */
function withPadding<T>(
  record: DType,
  pad: (size: number) => T,
  part: (field: RecordField) => T,
): T[] {
  const parts: T[] = [];
  let end = 0;
  for (const field of record.fields ?? []) {
    if (field.offset > end) parts.push(pad(field.offset - end));
    parts.push(part(field));
    end = field.offset + field.itemsize;
  }
  if (record.itemsize > end) parts.push(pad(record.itemsize - end));
  return parts;
}
