import fc from 'fast-check';
import { randomArrays } from './random.mjs';

const DTYPES = ['|b1', '|u1', '<i2', '<i4', '<i8', '<f4', '<f8'];
/** Functions of expressions, by the axes that they take. */
const FUNCTIONS = {
  any: [
    'sum',
    'prod',
    'min',
    'max',
    'mean',
    'variance',
    'std',
    'any',
    'all',
    'countNonzero',
    'logSumExp',
  ],
  oneOrAll: ['argmin', 'argmax'],
  one: ['cumulativeSum', 'cumulativeProd'],
};
/** Those that zeros do not let end early, as NumPy's `max` of bools; the others do not end early at positive numbers. */
const OF_ZEROS = ['any', 'argmax'];

const reduction = fc
  .record({
    of: fc.constantFrom(
      ...Object.entries(FUNCTIONS).flatMap(([takes, names]) =>
        names.map((name) => ({ name, takes })),
      ),
    ),
    array: randomArrays(DTYPES),
    isPicked: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
    one: fc.nat(3),
  })
  .map(({ of: { name, takes }, array, isPicked, one }) => ({
    name,
    array,
    axes: axesOf(takes, array.shape.length, isPicked, one),
    isOfZeros: OF_ZEROS.includes(name) || (name === 'max' && array.type === '|b1'),
  }));

/** Null is all axes. */
function axesOf(takes, rank, isPicked, one) {
  const picked = isPicked.slice(0, rank).flatMap((is, axis) => (is ? [axis] : []));
  if (takes === 'one') return [one % rank];
  if (picked.length === 0 || picked.length === rank) return null;
  return takes === 'oneOrAll' ? [picked[0]] : picked;
}

/** Returns `count` reductions and scans, each of an array over a block. The same seed returns the same. */
export function randomReductions(seed, count) {
  return fc.sample(reduction, { seed, numRuns: count });
}

/** One as one line of text. */
export function lineOf({ name, array: { type, shape, byteStrides }, axes }) {
  return `${name}, axis ${axes ?? 'all'}: ${type} ${shape.join(' x ')} [${byteStrides}]`;
}
