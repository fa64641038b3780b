import { guarded } from '../input/dict.js';
import { readDescr, toDescr } from './descr.js';
import type { DType, DTypeLike, DTypeName } from './dtype.js';
import { isNamedDType, type NamedDType, typestrOf } from './named-dtypes.js';
import { parseTypestr } from './typestr.js';

const NAMES: Readonly<Record<DTypeName, string>> = {
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
};

/**
 * A dtype from its name (`float32`, `bfloat16`), its typestr (`<f4`) or a dtype, which is checked
 * again and copied. Throws ERR_TYPE, ERR_TYPESTR, ERR_DTYPE_UNSUPPORTED, ERR_DESCR,
 * ERR_NEGATIVE_DIMENSION, ERR_OVERFLOW. Typestrs and fields are those of NumPy's array interface,
 * `typestr` and `descr`; sizes are bytes.
 */
export function dtype(like: DTypeLike): DType {
  return readDType(like, 'dtype');
}

/** `dtype` with the path that errors name. */
export function readDType(like: unknown, path: string): DType {
  if (isNamedDType(like)) return nameDType(parseTypestr(typestrOf(like), path), like);
  if (typeof like === 'string') {
    return parseTypestr(Object.hasOwn(NAMES, like) ? NAMES[like as DTypeName] : like, path);
  }
  const { typestr, fields, name } = guarded('ERR_TYPE', path, () => {
    const { typestr, fields, name } = (like ?? {}) as Partial<DType>;
    return { typestr, fields, name };
  });
  const plain = parseTypestr(typestr, path);
  if (isNamedDType(name) && plain.typestr === typestrOf(name)) return nameDType(plain, name);
  if (fields === null || fields === undefined) return plain;
  const descr = guarded('ERR_TYPE', path, () => toDescr(like as DType));
  return readDescr(descr, plain, path);
}

function nameDType(opaque: DType, name: NamedDType): DType {
  return Object.freeze({ ...opaque, name });
}
