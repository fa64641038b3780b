import { dtype } from '@array-interface/core';
import fc from 'fast-check';

const NUMBERS = ['|b1', '|u1', '<i2', '<u2', '<f2', '<i4', '<f4', '<i8', '<f8', '<c8', '<c16'];
const BIG_ENDIAN = ['>i2', '>f2', '>f4', '>i8', '>f8', '>c8'];
const REAL = NUMBERS.filter((type) => !type.includes('c'));

/** Maximum bytes of either side. */
export const LARGEST_SIDE = 256 * 2 ** 20;

/** What happens to an axis of the source; most are unchanged. */
const way = fc.oneof(
  { weight: 6, arbitrary: fc.constant('plain') },
  { weight: 1, arbitrary: fc.constant('reversed') },
  { weight: 1, arbitrary: fc.constant('every second') },
  { weight: 1, arbitrary: fc.constant('broadcast') },
  { weight: 1, arbitrary: fc.constant('padded') },
);

/** Both dtypes; in a third of the draws they differ. */
const types = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NUMBERS).map((type) => [type, type]) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...BIG_ENDIAN).map((type) => [`<${type.slice(1)}`, type]),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...REAL), fc.constantFrom(...REAL)) },
);

const order = (rank) => {
  const axes = Array.from({ length: rank }, (_, axis) => axis);
  return fc.shuffledSubarray(axes, { minLength: rank });
};

/** Uniformly distributed; fast-check's doubles are not. */
const real = (min, max) =>
  fc.integer({ min: 0, max: 1000 }).map((step) => min + ((max - min) * step) / 1000);

/** Layouts of at most so many axes. */
const layouts = (bothTypes, mostAxes) =>
  fc.integer({ min: 1, max: mostAxes }).chain((rank) => layoutsOfRank(bothTypes, rank));

const layoutsOfRank = (bothTypes, rank) =>
  fc
    .record({
      types: bothTypes,
      shares: fc.array(real(0.1, 1), { minLength: rank, maxLength: rank }),
      doublings: real(0, 5),
      ways: fc.array(way, { minLength: rank, maxLength: rank }),
      source: order(rank),
      destination: fc.oneof(
        { weight: 3, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: order(rank) },
      ),
    })
    .map(layoutOf);

/**
 * Extents with a product of one to 32 million elements, or as many as fit, then the strides of both
 * sides.
 */
function layoutOf({ types: [to, from], shares, doublings, ways, source, destination }) {
  const [size, sourceSize] = [dtype(to).itemsize, dtype(from).itemsize];
  const whole = shares.reduce((a, b) => a + b);
  const extents = (count) =>
    shares.map((share) => Math.max(2, Math.round(count ** (share / whole))));
  const isTooLarge = (shape) =>
    Math.max(bytesOf(shape, size), bytesOf(grown(shape, ways), sourceSize)) > LARGEST_SIDE;
  let count = 2 ** (20 + doublings);
  while (isTooLarge(extents(count))) count /= 2;
  const shape = extents(count);
  const inOrder = shape.map((_, axis) => axis);
  return [
    { type: to, shape, byteStrides: strides(shape, destination ?? inOrder, size), offset: 0 },
    { type: from, shape, ...sourceStrides(shape, ways, source, sourceSize) },
  ];
}

const bytesOf = (shape, size) => shape.reduce((a, b) => a * b, size);

/** Extents of the array that the source is a view of. */
const grown = (shape, ways) =>
  shape.map((extent, axis) => {
    if (ways[axis] === 'every second') return 2 * extent;
    if (ways[axis] === 'padded') return extent + 3;
    return ways[axis] === 'broadcast' ? 1 : extent;
  });

/** Strides of axes that are in memory in this order, the last innermost. */
function strides(shape, order, size) {
  const found = shape.map(() => 0);
  for (const axis of order.toReversed()) {
    found[axis] = size;
    size *= shape[axis];
  }
  return found;
}

function sourceStrides(shape, ways, order, size) {
  const byteStrides = strides(grown(shape, ways), order, size);
  let offset = 0;
  for (const [axis, way] of ways.entries()) {
    if (way === 'every second') byteStrides[axis] *= 2;
    if (way === 'broadcast') byteStrides[axis] = 0;
    if (way === 'padded') offset += byteStrides[axis];
    if (way !== 'reversed') continue;
    offset += (shape[axis] - 1) * byteStrides[axis];
    byteStrides[axis] *= -1;
  }
  return { byteStrides, offset };
}

/** Whether a copy is one memcpy, which is not worth measuring. */
const isMemcpy = ([to, from]) =>
  to.type === from.type &&
  to.byteStrides.every((stride, axis) => stride === from.byteStrides[axis]);

/**
 * Returns `count` layouts, each a destination and a source like those of layouts/layouts.mjs. The
 * same seed returns the same layouts.
 */
export function randomLayouts(seed, count) {
  const copies = layouts(types, 6).filter((sides) => !isMemcpy(sides));
  return fc.sample(copies, { seed, numRuns: count });
}

/** Arrays of at most four axes, of one of these dtypes: the sources of such layouts. */
export const randomArrays = (dtypes) =>
  layouts(
    fc.constantFrom(...dtypes).map((type) => [type, type]),
    4,
  ).map(([, source]) => source);

/** A layout as one line of text. */
export function nameOf([to, from]) {
  const sides = `${to.type} [${to.byteStrides}] from ${from.type} [${from.byteStrides}]`;
  return `${to.shape.join(' x ')}: ${sides}`;
}
