import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { elementReader } from '../numbers/read-element.js';
import { dtypeText, isImplied, tupleText } from './dtype-text.js';
import { elementText, soleText } from './element-text.js';
import { bracketed, width } from './layout-text.js';
import type { TextLimits } from './limits.js';
import type { ShownPart } from './shown-part.js';

/**
 * Returns an array as NumPy's `str` does, which Python's `print` shows. `bytes` has the elements of
 * `part`, dense and in C order.
 */
export function strText(
  array: ArrayDescriptor,
  part: ShownPart,
  bytes: ArrayBuffer,
  limits: TextLimits,
): string {
  if (array.ndim > 0) return elementsText(array, part, bytes, limits, ' ', 0);
  const element = elementReader(array.dtype)(new DataView(bytes), 0);
  return soleText(array.dtype, element, limits);
}

/**
 * Returns an array as NumPy's `repr` does: `NAME([1, 2], dtype=int32)`. `bytes` is that of
 * `strText`.
 */
export function reprText(
  name: string,
  array: ArrayDescriptor,
  part: ShownPart,
  bytes: ArrayBuffer,
  limits: TextLimits,
): string {
  const { shape, size, dtype } = array;
  const { threshold, lineWidth } = limits;
  const inBrackets = { ...limits, lineWidth: lineWidth - 1 };
  const start = `${name}(${elementsText(array, part, bytes, inBrackets, ', ', name.length + 1)}`;
  const isShapeHidden = (size === 0 && shape.length !== 1) || size > threshold;
  const more = [
    ...(isShapeHidden ? [`shape=${tupleText(shape)}`] : []),
    ...(size === 0 || !isImplied(dtype) ? [`dtype=${dtypeText(dtype)}`] : []),
  ].join(', ');
  if (more === '') return `${start})`;
  const lastLine = start.slice(start.lastIndexOf('\n') + 1);
  const isFull = width(lastLine) + width(more) + 3 > lineWidth;
  return `${start},${isFull ? `\n${' '.repeat(name.length + 1)}` : ' '}${more})`;
}

function elementsText(
  { dtype, ndim, size }: ArrayDescriptor,
  { shape, isShortened }: ShownPart,
  bytes: ArrayBuffer,
  limits: TextLimits,
  separator: string,
  indent: number,
): string {
  if (size === 0) return '[]';
  const view = new DataView(bytes);
  const read = elementReader(dtype);
  const count = shape.reduce((product, length) => product * length, 1);
  const elements = Array.from({ length: count }, (_, at) => read(view, at * dtype.itemsize));
  const write = elementText(dtype, elements, {
    ...limits,
    isScalar: ndim === 0,
    isEachFloatAlone: false,
  });
  const texts = elements.map(write).values();
  const next = () => texts.next().value as string;
  return ndim === 0
    ? next()
    : bracketed({ ...limits, shape, isShortened, separator, indent }, next);
}
