import { type DType, dtype } from '@array-interface/core';
import fc from 'fast-check';
import type { Layout } from '../support/block.js';
import type { CopyCase } from './copy-cases.js';

const TYPES = ['uint8', 'int16', '|V3', 'float32', 'float64', '|V12', 'complex128'];

/** Pairs of dtypes: moved, with bytes swapped, converted. Backends build kernels for each. */
const PAIRS = [
  ...['uint8', 'int16', '|V3', 'float32', 'float64'].map((name) => [name, name] as const),
  ...([
    ['>i4', 'int32'],
    ['int16', '>i2'],
    ['>u2', '>f4'],
  ] as const),
  ...([
    ['uint8', 'float32'],
    ['int32', '>f8'],
    ['int16', 'int32'],
  ] as const),
];

/**
 * The number of elements from which every backend builds kernels for one copy, or has tiles for it.
 */
const LARGE = 2 ** 20;

/** How one side lays out a shape that both sides have. */
interface Recipe {
  /** Sort keys: which axis is innermost. */
  readonly order: readonly number[];
  readonly reversed: readonly boolean[];
  /** Bytes left unused after each axis. */
  readonly gap: readonly number[];
  readonly offset: number;
}

/** Copies between layouts that share only shape and dtype. The source may broadcast. */
export const randomCopy: fc.Arbitrary<CopyCase> = fc
  .tuple(
    fc.constantFrom(...TYPES),
    fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 5 }),
    recipe(),
    recipe(),
    fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    fc.integer({ min: 0, max: 2 }),
  )
  .map(([name, shape, toRecipe, fromRecipe, repeated, missing]) => {
    const type = dtype(name);
    const short = shape.slice(missing).map((length, axis) => (repeated[axis] ? 1 : length));
    const to = layOut(shape, type, toRecipe);
    const from = layOut(fromRecipe.offset % 2 === 0 ? shape : short, type, fromRecipe);
    return { name, to, from };
  });

/**
 * Large copies, some with conversions; the first axis makes them large. Without bias: only a few
 * cases run, and fast-check's first numbers are small, so few layouts would be transposed.
 */
export const randomLargeCopy: fc.Arbitrary<CopyCase> = fc.noBias(
  fc
    .tuple(
      fc.constantFrom(...PAIRS),
      // Axes that tiles of 64 divide, axes that leave a remainder, and channels.
      fc.array(fc.constantFrom(2, 3, 7, 64, 70, 200), { minLength: 1, maxLength: 2 }),
      fc.tuple(recipe(), recipe()),
      fc.boolean(),
      fc.array(fc.nat({ max: 5 }), { minLength: 3, maxLength: 3 }),
    )
    .map(([[source, target], lengths, recipes, isTurned, repeated]) => {
      const first = Math.ceil(LARGE / lengths.reduce((product, length) => product * length, 1));
      const shape = [first, ...lengths];
      const short = shape.map((length, axis) => (repeated[axis] === 0 ? 1 : length));
      const [toRecipe, fromRecipe] = isTurned ? turned(recipes[0]) : recipes;
      const to = layOut(shape, dtype(target), toRecipe);
      return { name: `${source} to ${target}`, to, from: layOut(short, dtype(source), fromRecipe) };
    }),
);

/**
 * Contiguous and aligned on both sides, with the axes of one in the reverse order of the other's.
 */
function turned({ order }: Recipe): readonly [Recipe, Recipe] {
  const dense = { reversed: [], gap: order.map(() => 0), offset: 0 };
  return [
    { ...dense, order },
    { ...dense, order: order.map((key) => -key) },
  ];
}

function recipe(): fc.Arbitrary<Recipe> {
  const five = { minLength: 5, maxLength: 5 };
  return fc.record({
    order: fc.array(fc.nat(), five),
    reversed: fc.array(fc.boolean(), five),
    gap: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9 })), five),
    offset: fc.integer({ min: 0, max: 17 }),
  });
}

/**
 * Lays out axes from the innermost outwards. Each step is larger than all bytes within it, so that
 * no elements share bytes.
 */
function layOut(shape: readonly number[], type: DType, recipe: Recipe): Layout {
  const byteStrides = shape.map(() => 0);
  let { offset } = recipe;
  let span = type.itemsize;
  const axes = [...shape.keys()].sort((a, b) => at(recipe.order, a) - at(recipe.order, b));
  for (const axis of axes) {
    const length = at(shape, axis);
    const stride = span + at(recipe.gap, axis);
    const isReversed = recipe.reversed[axis] === true;
    byteStrides[axis] = isReversed ? -stride : stride;
    if (isReversed) offset += Math.max(0, length - 1) * stride;
    span = stride * Math.max(1, length);
  }
  return { offset, shape, byteStrides, dtype: type };
}

function at(list: readonly number[], index: number): number {
  return list[index] as number;
}
