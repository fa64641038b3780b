import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { DType } from '../dtype/dtype.js';
import { float64 } from '../numbers/float-format.js';
import {
  type ComplexNumber,
  type ElementValue,
  elementReader,
  floatFormat,
  isComplex,
  type NestedElements,
  type RecordValue,
} from '../numbers/read-element.js';
import { dateText, NOT_A_TIME } from './date-text.js';
import { soleComplex, soleText, subArrayText } from './element-text.js';
import { scalarText } from './float-text.js';
import { bracketed } from './layout-text.js';
import type { TextLimits } from './limits.js';
import { quoted, quotedBytes } from './python-text.js';
import type { ShownPart } from './shown-part.js';

/** What stands for an element that the mask leaves out. */
const LEFT_OUT = '--';

/**
 * Returns an array as `str` of NumPy's masked arrays does: each element as Python prints its number
 * or text, with all digits and not aligned. `bytes` is that of `strText`, and `valid` has a byte for
 * each element: 0 where the mask leaves it out.
 *
 * Unlike NumPy, never drops elements of a long axis without `...`, and writes dates as those without
 * a mask.
 */
export function maskedText(
  { dtype, ndim, size }: ArrayDescriptor,
  { shape, isShortened }: ShownPart,
  bytes: ArrayBuffer,
  valid: Uint8Array,
  limits: TextLimits,
): string {
  if (size === 0) return '[]';
  const view = new DataView(bytes);
  const read = elementReader(dtype);
  const isSole = ndim === 0 && valid[0] !== 0 && 'UmM'.includes(dtype.kind);
  if (isSole) return soleText(dtype, read(view, 0), limits);
  let at = 0;
  const next = () => {
    const element = read(view, at * dtype.itemsize);
    return objectText(dtype, element, valid[at++] === 0, limits);
  };
  return ndim === 0
    ? next()
    : bracketed({ ...limits, shape, isShortened, separator: ' ', indent: 0 }, next);
}

function objectText(
  dtype: DType,
  element: ElementValue,
  isLeftOut: boolean,
  limits: TextLimits,
): string {
  if (dtype.fields === null) return isLeftOut ? LEFT_OUT : valueText(dtype, element);
  const texts = dtype.fields.map((field) => {
    const value = (element as RecordValue)[field.name] as NestedElements;
    const count = field.shape.reduce((product, length) => product * length, 1);
    const write = (one: ElementValue) => objectText(field.dtype, one, isLeftOut, limits);
    return subArrayText(value, field.shape.length, count, write, limits);
  });
  return `(${texts.join(', ')}${texts.length === 1 ? ',' : ''})`;
}

/** Python has floats of one format. */
function valueText(dtype: DType, element: ElementValue): string {
  if (isComplex(dtype)) return soleComplex(element as ComplexNumber, float64);
  if (floatFormat(dtype) !== null) return scalarText(element as number, float64);
  switch (dtype.kind) {
    case 'b':
      return element === true ? 'True' : 'False';
    case 'U':
      return quoted(element as string);
    case 'S':
      return quotedBytes(element as string);
    case 'V':
      return quotedBytes(
        Array.from(element as Uint8Array, (byte) => String.fromCharCode(byte)).join(''),
      );
    case 'm':
      return element === NOT_A_TIME ? 'NaT' : String(element);
    case 'M':
      return element === NOT_A_TIME ? 'NaT' : `'${dateText(element as bigint, dtype)}'`;
    default:
      return String(element);
  }
}
