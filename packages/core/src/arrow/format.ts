import type { DType } from '../dtype/dtype.js';
import { parseTypestr } from '../dtype/typestr.js';
import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';

/** A format that an array can hold: elements, or lists of a fixed length. */
export type ArrowFormat =
  | { readonly dtype: DType; readonly length?: never }
  | { readonly dtype?: never; readonly length: number };

const NUMBERS: Readonly<Record<string, string>> = {
  c: '|i1',
  C: '|u1',
  s: '<i2',
  S: '<u2',
  i: '<i4',
  I: '<u4',
  l: '<i8',
  L: '<u8',
  e: '<f2',
  f: '<f4',
  g: '<f8',
  tdm: '<M8[ms]',
};

/** Arrow's letters of the units of times. */
const UNITS: Readonly<Record<string, string>> = { s: 's', m: 'ms', u: 'us', n: 'ns' };

const LIST = /^\+w:(\d+)$/;
const BYTES = /^w:(\d+)$/;
/** A point in time, with the name of a time zone for printing; the numbers count from 1970 in UTC. */
const TIMESTAMP = /^ts([smun]):/;
const DURATION = /^tD([smun])$/;

/** What else a format may be, and what to do about it. */
const OTHERS: readonly (readonly [pattern: RegExp, what: string, cure: string])[] = [
  [/^n$/, 'nulls alone', 'give the column a type'],
  [/^b$/, 'bits', 'cast the column to uint8'],
  [/^([uUzZ]|v[uz])$/, 'texts or bytes of any length', 'cast the column to a fixed length'],
  [/^d:/, 'decimal numbers', 'cast the column to float64 or int64'],
  [/^tdD$/, 'days in 32 bits', 'cast the column to date64 or int32'],
  [/^tt/, 'times of day', 'cast the column to int32 or int64'],
  [/^ti/, 'intervals', 'cast the column to a duration'],
  [/^\+s$/, 'a record batch or struct', 'pass one of its columns'],
  [/^\+[lL]$|^\+v[lL]$/, 'lists of any length', 'cast the column to lists of a fixed length'],
  [/^\+m$/, 'maps', 'pass the keys or the values'],
  [/^\+u/, 'a union', 'pass one of its members'],
  [/^\+r$/, 'runs', 'decode the column first'],
];

/** Reads a format string of the C Data Interface. Throws ERR_DTYPE_UNSUPPORTED. */
export function parseFormat(format: string, path: string): ArrowFormat {
  const list = LIST.exec(format);
  if (list !== null) return { length: Number(list[1]) };
  const typestr = typestrOf(format);
  if (typestr !== null) return { dtype: parseTypestr(typestr, path) };
  const [, what, cure] = OTHERS.find(([pattern]) => pattern.test(format)) ?? [];
  throw unsupported(
    path,
    what === undefined ? show(format) : `${show(format)}, which is ${what}`,
    cure ?? 'check what its producer wrote',
  );
}

function typestrOf(format: string): string | null {
  const number = NUMBERS[format];
  if (number !== undefined) return number;
  const bytes = BYTES.exec(format);
  if (bytes !== null) return `|V${bytes[1]}`;
  const time = TIMESTAMP.exec(format) ?? DURATION.exec(format);
  if (time === null) return null;
  return `<${format.startsWith('tD') ? 'm' : 'M'}8[${UNITS[time[1] as string]}]`;
}

/** Returns the error for a column whose elements no array can hold. */
export function unsupported(path: string, got: string, cure: string): ArrayInterfaceError {
  return mismatch(
    'ERR_DTYPE_UNSUPPORTED',
    path,
    'a column of numbers, timestamps, durations, bytes of a fixed length, or lists of a fixed length',
    got,
    cure,
  );
}

const NUMBER_FORMATS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(NUMBERS)
    .filter(([format]) => format !== 'tdm') // milliseconds are a timestamp's as well
    .map(([format, typestr]) => [typestr, format]),
);

const TIME = /^<([mM])8\[(s|ms|us|ns)\]$/;

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
  const number = NUMBER_FORMATS[typestr];
  if (number !== undefined) return number;
  const time = TIME.exec(typestr);
  if (time !== null) {
    const unit = (time[2] as string).replace('ms', 'm').charAt(0);
    return time[1] === 'm' ? `tD${unit}` : `ts${unit}:`;
  }
  if ((kind === 'V' || kind === 'S') && fields === null && itemsize > 0) return `w:${itemsize}`;
  throw mismatch(
    'ERR_DTYPE_UNSUPPORTED',
    'dtype',
    'integers, floats of 2 to 8 bytes, bytes, or times in s, ms, us or ns',
    show(String(dtype)),
    kind === 'b' ? 'view it as uint8' : 'cast it, or view it as bytes',
  );
}
