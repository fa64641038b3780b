import type { DType } from '../dtype/dtype.js';
import { sameDType } from '../dtype/dtype.js';
import { dtype } from '../dtype/read-dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { canCast } from './casting.js';

/** NumPy's numbers, each before those that it casts to. */
const NUMBERS =
  'bool uint8 int8 uint16 int16 uint32 int32 uint64 int64 float16 float32 float64 complex64 complex128'.split(
    ' ',
  );

/**
 * Returns the smallest dtype that can hold the values of all dtypes, by NumPy 2's rules. One dtype
 * alone stays as it is. Throws ERR_ARGUMENT for none, ERR_CASTING if no dtype holds all.
 */
export function resultType(...dtypes: (DType | string)[]): DType {
  const [first, ...others] = dtypes.map((like) => dtype(like));
  if (first === undefined) throw mismatch('ERR_ARGUMENT', 'dtypes', 'at least one dtype', 'none');
  if (others.every((other) => sameDType(other, first))) return first;
  const all = [first, ...others];
  const found = NUMBERS.find((name) => all.every((one) => canCast(one, dtype(name), 'safe')));
  if (found !== undefined) return dtype(found);
  const names = all.map(({ name, typestr }) => name ?? typestr).join(', ');
  throw mismatch('ERR_CASTING', 'dtypes', 'dtypes that cast to a common one', names);
}
