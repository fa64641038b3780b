import type { ArrayInterfaceError } from '../errors/error.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import type { DType } from './dtype.js';
import { makeDType } from './make-dtype.js';

type Kind = DType['kind'];

/** What a typestr may contain, which depends on where it appears. */
export interface TypestrRules {
  /** Allows `=` for native order, as SUAI's dpctl writes it. */
  readonly equalsSign?: boolean;
  /** Allows `|t1`, which is valid only in masks. */
  readonly isMask?: boolean;
  /** Allows a missing byte order, which people omit: `f4`. */
  readonly byPeople?: boolean;
}

const SIZES: Partial<Record<Kind, readonly number[]>> = {
  b: [1],
  i: [1, 2, 4, 8],
  u: [1, 2, 4, 8],
  f: [2, 4, 8, 16],
  c: [8, 16, 32],
  m: [8],
  M: [8],
};

const PATTERN = /^([<>|=])([biufcmMSUVt])(0|[1-9]\d*)(?:\[([^\]]+)\])?$/;
const WITHOUT_ORDER = /^(?=[biufcmMSUV]\d)/;
const OBJECT = /^[<>|=]O\d*$/;
const UNIT = /^([1-9]\d{0,9})?(Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)$/;

// A program has few dtypes and reads them often. They are immutable, so all readers share them.
export const knownDTypes: Map<string, DType> = new Map();
const MOST_KNOWN = 256;
const NO_RULES: TypestrRules = {};

/**
 * Reads a typestr of NumPy's array interface: byte order, kind, size, and a unit for dates. `|` on
 * several bytes means native order. Throws ERR_TYPE, ERR_TYPESTR, ERR_DTYPE_UNSUPPORTED.
 */
export function parseTypestr(value: unknown, path: string, rules: TypestrRules = NO_RULES): DType {
  if (typeof value !== 'string') {
    throw mismatch('ERR_TYPE', path, 'a typestr such as "<f4"', show(value));
  }
  const read = knownDTypes.get(value);
  if (read !== undefined) return read;
  const dtype = parse(value, path, rules);
  // Caches only what every set of rules allows.
  const isCommon = dtype.kind !== 't' && '<>|'.includes(value[0] as string);
  if (isCommon && knownDTypes.size < MOST_KNOWN) knownDTypes.set(value, dtype);
  return dtype;
}

function parse(value: string, path: string, rules: TypestrRules): DType {
  if (OBJECT.test(value)) throw unsupported(value, path, 'Python objects cannot be shared');
  const match = PATTERN.exec(rules.byPeople ? value.replace(WITHOUT_ORDER, '|') : value);
  if (match === null) throw malformed(value, path, rules);
  const [, order, kind, digits, unit] = match as unknown as [string, string, Kind, string, string?];
  if (order === '=' && rules.equalsSign !== true) throw malformed(value, path, rules);
  const size = Number(digits);
  if (kind === 't') {
    if (rules.isMask !== true)
      throw unsupported(value, path, 'bit fields are allowed in masks only');
    if (size !== 1) throw unsupported(value, path, 'a mask has one bit for each element');
  }
  if (!(SIZES[kind]?.includes(size) ?? true)) throw malformed(value, path, rules);
  const itemsize = kind === 'U' ? size * 4 : size;
  if (!Number.isSafeInteger(itemsize)) throw malformed(value, path, rules);
  const byteOrder = byteOrderOf(order, kind, itemsize);
  const ending = unit === undefined ? '' : readUnit(unit, kind, value, path, rules);
  const typestr = `${{ little: '<', big: '>', none: '|' }[byteOrder]}${kind}${size}${ending}`;
  return makeDType({ kind, itemsize, byteOrder, typestr, fields: null });
}

function byteOrderOf(order: string, kind: Kind, itemsize: number): DType['byteOrder'] {
  if (itemsize === 1 || kind === 'S' || kind === 'V') return 'none';
  return order === '>' ? 'big' : 'little';
}

/**
 * Returns the unit of a date or duration in its usual spelling: `[ns]` for `[1ns]`, nothing for
 * `[generic]`.
 */
function readUnit(
  unit: string,
  kind: Kind,
  typestr: string,
  path: string,
  rules: TypestrRules,
): string {
  if (kind !== 'm' && kind !== 'M') throw malformed(typestr, path, rules);
  if (unit === 'generic') return '';
  const match = UNIT.exec(unit);
  if (match === null || Number(match[1] ?? 1) > 2 ** 31 - 1) throw malformed(typestr, path, rules);
  return `[${match[1] === '1' ? '' : (match[1] ?? '')}${match[2]}]`;
}

function malformed(typestr: string, path: string, { byPeople }: TypestrRules): ArrayInterfaceError {
  const expected = byPeople
    ? 'a name ("float32"), or a kind and a size that exists ("f4", ">f4", "M8[ns]")'
    : 'a byte order, a kind and a size that exists ("<f4", "|u1", "<M8[ns]")';
  return mismatch('ERR_TYPESTR', path, expected, show(typestr));
}

function unsupported(typestr: string, path: string, why: string): ArrayInterfaceError {
  return mismatch('ERR_DTYPE_UNSUPPORTED', path, 'a supported dtype', `${show(typestr)}: ${why}`);
}
