import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import { relativeLayout } from '../descriptor/relative-layout.js';
import { dtype } from '../dtype/read-dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { show } from '../errors/show.js';
import { castsTo } from '../numbers/casting.js';
import { type NumberType, numberType } from '../numbers/conversion.js';
import { convertNumbers } from '../numbers/convert-numbers.js';
import { isPlainData } from '../numbers/plain-array.js';
import { typedArray } from '../numbers/typed-array.js';
import { copyBuffers, newBuffer } from '../plan/copy-buffers.js';
import { describe, type Operand } from './operand.js';
import { rowsAt } from './rows.js';
import type { Maker } from './work.js';

/**
 * Returns the descriptor of indices. Those in JavaScript memory are read and checked now, and are
 * int64 then. Throws ERR_TYPE for anything but integers, ERR_ARGUMENT for an index outside an axis
 * of this length, with its place as path, and what `array` throws.
 */
export function describeIndices(maker: Maker, value: Operand, length: number): ArrayDescriptor {
  const given = describe(maker, value, 'indices');
  const isFloat = isPlainData(value) && given.dtype.kind === 'f'; // numbers of lists are doubles
  if (!isFloat) assertIntegers(given);
  if (given.buffer !== null) return checked(given, length);
  if (length > 0 || given.size === 0) return given;
  throw mismatch('ERR_ARGUMENT', 'indices', 'no indices, since the axis has length 0', given.size);
}

function assertIntegers({ dtype: { kind, typestr, name }, dtype: type }: ArrayDescriptor): void {
  if ((kind === 'i' || kind === 'u') && castsTo(type, dtype('int64'), 'safe')) return;
  const cure = kind === 'b' ? 'where() takes a mask' : 'convert them with array(…, { dtype })';
  throw mismatch('ERR_TYPE', 'indices', 'an array of int32 or int64', name ?? typestr, cure);
}

function checked(given: ArrayDescriptor, length: number): ArrayDescriptor {
  const { shape, dtype: type, size } = given;
  const same = relativeLayout(shape, type, null, newBuffer(given.nbytes));
  copyBuffers(same, given);
  const indices = relativeLayout(shape, dtype('int64'), null, newBuffer(size * 8));
  const words = new Int32Array(indices.buffer as ArrayBufferLike);
  const pathOf = (at: number) => `indices${placeOf(at, shape)}`;
  const from = numberType(type) as NumberType;
  if (type.itemsize <= 4 && type.byteOrder !== 'big') {
    fromNumbers(words, typedArray(same.buffer as ArrayBufferLike, type) as Int32Array, pathOf);
  } else if (type.kind === 'f') {
    fromNumbers(words, new Float64Array(same.buffer as ArrayBufferLike), pathOf);
  } else {
    const change = {
      from,
      to: 'i8',
      swapsSource: type.byteOrder === 'big',
      swapsDestination: false,
      rounds: false,
    } as const;
    convertNumbers(
      new Uint8Array(words.buffer),
      new Uint8Array(same.buffer as ArrayBufferLike),
      change,
    );
  }
  rowsAt(words, length, pathOf);
  return indices;
}

/**
 * Writes numbers as the two halves of 64-bit integers. Throws ERR_TYPE for a fraction, ERR_ARGUMENT
 * for a number that is outside of every axis.
 */
function fromNumbers(
  words: Int32Array,
  numbers: Int32Array | Float64Array,
  pathOf: (at: number) => string,
): void {
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number;
    if (!Number.isInteger(number)) {
      throw mismatch('ERR_TYPE', pathOf(at), 'an integer', show(number), 'round it first');
    }
    if (!Number.isSafeInteger(number)) {
      throw mismatch('ERR_ARGUMENT', pathOf(at), 'an index within the axis', show(number));
    }
    words[2 * at] = number;
    words[2 * at + 1] = Math.floor(number / 2 ** 32);
  }
}

/** The place of an element in C order: `[1][2]`. */
function placeOf(at: number, shape: readonly number[]): string {
  let rest = at;
  let place = '';
  for (const length of shape.toReversed()) {
    place = `[${rest % length}]${place}`;
    rest = Math.floor(rest / length);
  }
  return place;
}
