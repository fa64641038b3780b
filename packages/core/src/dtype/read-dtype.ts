import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { guarded, isList } from '../input/dict.js';
import { readDescr, readRecord } from './descr.js';
import type { Descr, DType, DTypeLike, DTypeName } from './dtype.js';
import { makeDType } from './make-dtype.js';
import { isNamedDType, type NamedDType, ownName, typestrOf } from './named-dtypes.js';
import { toDescr } from './to-descr.js';
import { parseTypestr } from './typestr.js';

const NAMES: Readonly<Record<DTypeName | 'float128' | 'complex256', string>> = {
  bool: '|b1',
  int8: '|i1',
  int16: '<i2',
  int32: '<i4',
  int64: '<i8',
  uint8: '|u1',
  uint16: '<u2',
  uint32: '<u4',
  uint64: '<u8',
  float16: '<f2',
  float32: '<f4',
  float64: '<f8',
  complex64: '<c8',
  complex128: '<c16',
  float128: '<f16',
  complex256: '<c32',
};

/** The names of times, with a unit. */
const TIME = /^(datetime|timedelta)64(\[.*\])?$/s;

/**
 * Makes a dtype from its name, its typestr or the fields of a record. Checks and copies a value
 * that is already a dtype.
 *
 * Names are those of NumPy and the array API standard (`float32`, `datetime64[ns]`) and of types
 * without a typestr (`bfloat16`). Typestrs (`<f4`, or `f4` in native order) and fields (as in
 * `descr`) are those of NumPy's array interface. Other functions take only texts that TypeScript
 * can check; this one also takes a string that is known at run time. Sizes are in bytes. Throws
 * what the readers of dicts throw for `typestr` and `descr`.
 *
 * @example
 * ```ts
 * import { dtype } from '@array-interface/core';
 *
 * console.log(dtype('float32').typestr); // <f4
 * console.log(dtype('>i8').byteOrder); // big
 * console.log(dtype('f4').name, String(dtype('>f4'))); // float32 >f4
 * console.log(dtype([['x', 'f4'], ['id', 'int32']]).itemsize); // 8
 * ```
 */
export function dtype(like: DTypeLike | Descr | (string & {})): DType {
  return readDType(like, 'dtype');
}

/** `dtype` with a path for error messages. */
export function readDType(like: unknown, path: string): DType {
  if (typeof like === 'string') return readName(like, path);
  if (isList(like, path)) return readRecord(like, path, readField);
  const { typestr, fields, name } = guarded('ERR_TYPE', path, () => {
    const { typestr, fields, name } = (like ?? {}) as Partial<DType>;
    return { typestr, fields, name };
  });
  if (typestr === undefined) {
    throw mismatch('ERR_TYPE', path, 'a dtype, such as "float32" or "<f4"', show(like));
  }
  const plain = parseTypestr(typestr, path);
  if (isNamedDType(name) && plain.typestr === typestrOf(name)) return nameDType(plain, name);
  if (fields === null || fields === undefined) return plain;
  const descr = guarded('ERR_TYPE', path, () => toDescr(like as DType));
  return readDescr(descr, plain, path);
}

function readName(text: string, path: string): DType {
  if (isNamedDType(text)) return nameDType(parseTypestr(typestrOf(text), path), text);
  if (Object.hasOwn(NAMES, text)) return parseTypestr(NAMES[text as DTypeName], path);
  const time = TIME.exec(text);
  if (time !== null)
    return parseTypestr(`<${time[1] === 'datetime' ? 'M' : 'm'}8${time[2] ?? ''}`, path);
  return parseTypestr(text, path, { byPeople: true });
}

/** Rejects a name: `descr` cannot store it, so a field would lose it with the next copy. */
function readField(text: string, path: string): DType {
  const field = readName(text, path);
  if (ownName(field) === undefined) return field;
  throw mismatch('ERR_DTYPE_UNSUPPORTED', path, 'a dtype with a typestr', show(text));
}

function nameDType(opaque: DType, name: NamedDType): DType {
  return makeDType({ ...opaque, name });
}
