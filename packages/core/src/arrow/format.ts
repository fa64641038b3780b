import type { DType } from '../dtype/dtype.js';
import { parseTypestr } from '../dtype/typestr.js';
import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { readDimension } from '../input/integer.js';

/** A format that an array can hold: elements, or lists of a fixed length. */
export type ArrowFormat =
  | { readonly dtype: DType; readonly listLength?: never }
  | { readonly dtype?: never; readonly listLength: number };

const NUMBERS: ReadonlyMap<string, string> = new Map([
  ['c', '|i1'],
  ['C', '|u1'],
  ['s', '<i2'],
  ['S', '<u2'],
  ['i', '<i4'],
  ['I', '<u4'],
  ['l', '<i8'],
  ['L', '<u8'],
  ['e', '<f2'],
  ['f', '<f4'],
  ['g', '<f8'],
]);

/** Arrow's letters of the units of times. */
const UNITS = { s: 's', m: 'ms', u: 'us', n: 'ns' } as const;

const LISTS = /^\+w:(\d+)$/;
const BYTES = /^w:(\d+)$/;
/** A time zone only says how to print: the numbers count from 1970 in UTC. */
const TIMESTAMP = /^ts([smun]):/;
const DURATION = /^tD([smun])$/;

/** The other formats: Arrow's names of the types, and what to do about them. */
const OTHERS: readonly (readonly [pattern: RegExp, name: string, cure: string])[] = [
  [/^n$/, 'null', 'give the column a type'],
  [/^b$/, 'bool, whose elements are bits', 'cast it to uint8'],
  [/^[uU]$|^vu$/, 'utf8', 'encode it as a dictionary, and pass its indices'],
  [/^[zZ]$|^vz$/, 'binary', 'cast it to fixed_size_binary'],
  [/^d:/, 'decimal', 'cast it to float64 or int64'],
  [/^tdD$/, 'date32', 'cast it to date64 or int32'],
  [/^tt/, 'time32 or time64', 'cast it to int32 or int64'],
  [/^ti/, 'interval', 'take its parts as columns of integers'],
  [/^\+s$/, 'struct, as record batches are', 'pass one of its children'],
  [/^\+[lL]$|^\+v[lL]$/, 'list', 'cast it to fixed_size_list'],
  [/^\+m$/, 'map', 'pass its keys or its values'],
  [/^\+u/, 'union', 'pass one of its children'],
  [/^\+r$/, 'run_end_encoded', 'decode it first'],
];

/** Reads a format string of the C Data Interface. Throws ERR_DTYPE_UNSUPPORTED, ERR_OVERFLOW. */
export function parseFormat(format: string, path: string): ArrowFormat {
  const lists = LISTS.exec(format);
  if (lists !== null) return { listLength: readDimension(BigInt(lists[1] as string), path) };
  const typestr = typestrOf(format, path);
  if (typestr !== null) return { dtype: parseTypestr(typestr, path) };
  const [, name, cure] = OTHERS.find(([pattern]) => pattern.test(format)) ?? [];
  const got = name === undefined ? show(format) : `${show(format)} (${name})`;
  throw unsupported(path, got, cure ?? 'check what its producer wrote');
}

function typestrOf(format: string, path: string): string | null {
  const number = NUMBERS.get(format);
  if (number !== undefined) return number;
  if (format === 'tdm') return '<M8[ms]';
  const bytes = BYTES.exec(format);
  if (bytes !== null) return `|V${readDimension(BigInt(bytes[1] as string), path)}`;
  const timestamp = TIMESTAMP.exec(format);
  if (timestamp !== null) return `<M8[${UNITS[timestamp[1] as keyof typeof UNITS]}]`;
  const duration = DURATION.exec(format);
  return duration && `<m8[${UNITS[duration[1] as keyof typeof UNITS]}]`;
}

/** Returns the error for a column whose elements no array can hold. */
export function unsupported(path: string, got: string, cure: string): ArrayInterfaceError {
  return mismatch(
    'ERR_DTYPE_UNSUPPORTED',
    path,
    'a column of integers, floats, timestamps, durations, fixed_size_binary, or fixed_size_list of them',
    got,
    cure,
  );
}

const FORMATS: ReadonlyMap<string, string> = new Map([
  ...[...NUMBERS].map(([format, typestr]) => [typestr, format] as const),
  ...Object.entries(UNITS).flatMap(([letter, unit]) => [
    [`<M8[${unit}]`, `ts${letter}:`] as const,
    [`<m8[${unit}]`, `tD${letter}`] as const,
  ]),
]);

/** Writes the format string of elements. Throws ERR_DTYPE_UNSUPPORTED, ERR_BYTE_ORDER. */
export function formatOf(dtype: DType): string {
  const { typestr, fields, byteOrder, itemsize, kind } = dtype;
  if (byteOrder === 'big') {
    throw mismatch(
      'ERR_BYTE_ORDER',
      'dtype',
      'native byte order',
      show(typestr),
      `copy it with { dtype: ${show(`<${typestr.slice(1)}`)} } first`,
    );
  }
  const format = FORMATS.get(typestr);
  if (format !== undefined) return format;
  if ((kind === 'V' || kind === 'S') && fields === null && itemsize > 0) return `w:${itemsize}`;
  throw mismatch(
    'ERR_DTYPE_UNSUPPORTED',
    'dtype',
    'integers, floats of 2 to 8 bytes, opaque bytes, or times in s, ms, us or ns',
    show(String(dtype)),
    kind === 'b' ? "view it as 'uint8'" : 'cast it, or view it as bytes',
  );
}
