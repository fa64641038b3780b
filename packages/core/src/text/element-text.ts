import type { DType } from '../dtype/dtype.js';
import type { FloatFormat } from '../numbers/float-format.js';
import {
  type ComplexNumber,
  type ElementValue,
  floatFormat,
  isComplex,
  type NestedElements,
  type RecordValue,
} from '../numbers/read-element.js';
import { dateText, durationText, NOT_A_TIME } from './date-text.js';
import { FloatText, scalarText } from './float-text.js';
import type { TextLimits } from './limits.js';
import { opaqueBytes, quoted, quotedBytes } from './python-text.js';

/** Returns the text of one element of an array. */
export type ElementText = (element: ElementValue) => string;

/** How the elements of an array, or of a field of its records, are written. */
export interface ElementRules extends TextLimits {
  /** Whether there is one element without axes, which is not aligned with others. */
  readonly isScalar: boolean;
  /** Whether floats are written as if each were on its own. */
  readonly isEachFloatAlone: boolean;
}

/** Returns the function that writes elements, so that all of them have the same width. */
export function elementText(
  dtype: DType,
  elements: readonly ElementValue[],
  rules: ElementRules,
): ElementText {
  if (dtype.fields !== null) return recordText(dtype, elements, rules);
  const format = floatFormat(dtype);
  if (format !== null) {
    return isComplex(dtype)
      ? complexText(elements as readonly ComplexNumber[], format, rules)
      : floatText(elements as readonly number[], format, rules);
  }
  switch (dtype.kind) {
    case 'b': {
      const yes = rules.isScalar ? 'True' : ' True';
      return (element) => (element === true ? yes : 'False');
    }
    case 'i':
    case 'u':
      return aligned(elements, String);
    case 'm':
      return timeText(elements as readonly bigint[], String);
    case 'M':
      return timeText(elements as readonly bigint[], (value) => `'${dateText(value, dtype)}'`);
    case 'S':
      return (element) => quotedBytes(element as string);
    case 'U':
      return (element) => quoted(element as string);
    default:
      return (element) => opaqueBytes(element as Uint8Array);
  }
}

/** Returns the text of the element of an array without axes, as Python's `str` does. */
export function soleText(dtype: DType, element: ElementValue, limits: TextLimits): string {
  const format = floatFormat(dtype);
  if (format !== null && isComplex(dtype)) return soleComplex(element as ComplexNumber, format);
  if (format !== null) return scalarText(element as number, format);
  if (dtype.kind === 'U' || (dtype.fields === null && 'biu'.includes(dtype.kind))) {
    return dtype.kind === 'b' ? (element === true ? 'True' : 'False') : String(element);
  }
  if (dtype.kind === 'S') return `np.bytes_(${quotedBytes(element as string)})`;
  if (dtype.kind === 'm' || dtype.kind === 'M') {
    if (element === NOT_A_TIME) return 'NaT';
    return (dtype.kind === 'm' ? durationText : dateText)(element as bigint, dtype);
  }
  return elementText(dtype, [element], { ...limits, isScalar: true, isEachFloatAlone: true })(
    element,
  );
}

function floatText(
  elements: readonly number[],
  format: FloatFormat,
  { precision, isEachFloatAlone }: ElementRules,
): ElementText {
  if (isEachFloatAlone) return (element) => scalarText(element as number, format);
  const all = new FloatText(elements, format, precision);
  return (element) => all.text(element as number);
}

function complexText(
  elements: readonly ComplexNumber[],
  format: FloatFormat,
  { precision }: ElementRules,
): ElementText {
  const real = new FloatText(
    elements.map(({ re }) => re),
    format,
    precision,
  );
  const imaginary = new FloatText(
    elements.map(({ im }) => im),
    format,
    precision,
    '+',
  );
  return (element) => {
    const { re, im } = element as ComplexNumber;
    return real.text(re) + imaginary.text(im).replace(/ *$/, 'j$&');
  };
}

/** Returns a complex number on its own, as Python prints it. */
export function soleComplex({ re, im }: ComplexNumber, format: FloatFormat): string {
  const imaginary = scalarText(im, format, '');
  if (re === 0 && !Object.is(re, -0)) return `${imaginary}j`;
  const sign = imaginary.startsWith('-') ? '' : '+';
  return `(${scalarText(re, format, '')}${sign}${imaginary}j)`;
}

function aligned(
  elements: readonly ElementValue[],
  write: (element: ElementValue) => string,
): ElementText {
  let width = 0;
  for (const element of elements) width = Math.max(width, write(element).length);
  return (element) => write(element).padStart(width);
}

function timeText(times: readonly bigint[], write: (time: bigint) => string): ElementText {
  const known = times.filter((time) => time !== NOT_A_TIME);
  let [first, last] = [known[0], known[0]];
  for (const time of known) {
    if (time < (first as bigint)) first = time;
    if (time > (last as bigint)) last = time;
  }
  let width = known.length < times.length ? 5 : 0;
  for (const time of [first, last]) {
    if (time !== undefined) width = Math.max(width, write(time).length);
  }
  return (time) => (time === NOT_A_TIME ? "'NaT'" : write(time as bigint)).padStart(width);
}

function recordText(
  { fields }: DType,
  elements: readonly ElementValue[],
  rules: ElementRules,
): ElementText {
  const records = elements as readonly RecordValue[];
  const writers = (fields ?? []).map(({ name, dtype, shape }) => {
    const column = records.map((record) => record[name] as NestedElements);
    const isPlain = shape.length === 0;
    const flat = (column as unknown[]).flat(shape.length) as ElementValue[];
    const write = elementText(dtype, flat, { ...rules, isScalar: rules.isScalar && isPlain });
    const size = shape.reduce((product, length) => product * length, 1);
    return (record: RecordValue) =>
      subArrayText(record[name] as NestedElements, shape.length, size, write, rules);
  });
  return (record) => {
    const texts = writers.map((write) => write(record as RecordValue));
    return `(${texts.join(', ')}${texts.length === 1 ? ',' : ''})`;
  };
}

/** Returns the value of a record's field, in brackets if it has axes. `size` counts its elements. */
export function subArrayText(
  value: NestedElements,
  axes: number,
  size: number,
  write: ElementText,
  limits: TextLimits,
): string {
  if (axes === 0) return write(value as ElementValue);
  const { threshold, edgeItems } = limits;
  const entries = value as NestedElements[];
  const text = (entry: NestedElements) => subArrayText(entry, axes - 1, size, write, limits);
  if (size <= threshold || entries.length <= 2 * edgeItems)
    return `[${entries.map(text).join(', ')}]`;
  const [start, end] = [entries.slice(0, edgeItems), entries.slice(-edgeItems)];
  return `[${[...start.map(text), '...', ...end.map(text)].join(', ')}]`;
}
