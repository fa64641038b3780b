import {
  type ArrayDescriptor,
  flip,
  makeDescriptor,
  permuteDims,
  type SliceRange,
  slice,
} from '@array-interface/core';
import fc from 'fast-check';

/** One view of another: its name in core, and its arguments besides the array. */
export type Step =
  | readonly ['slice', readonly SliceRange[]]
  | readonly ['permuteDims', readonly number[]]
  | readonly ['flip', readonly number[]];

/** An array of a shape, and views, each of the previous one. */
export interface Views {
  readonly shape: readonly number[];
  readonly typestr: string;
  readonly steps: readonly Step[];
}

const part = fc.option(fc.integer({ min: -9, max: 9 }));
const stride = fc.option(fc.integer({ min: -4, max: 4 }).filter((step) => step !== 0));
const range: fc.Arbitrary<SliceRange> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: fc.tuple(part, part, stride) },
  { weight: 1, arbitrary: fc.nat({ max: 5 }) },
);

/** Arrays of rank 0 to 4, and up to four views of them, of any rank that indices leave. */
export const randomViews: fc.Arbitrary<Views> = fc
  .record({
    shape: fc.array(fc.nat({ max: 6 }), { maxLength: 4 }),
    typestr: fc.constantFrom('|b1', '|u1', '<i2', '<f4', '>i8', '<c16', '|S3', '<M8[ns]'),
    choices: fc.array(
      fc.record({
        name: fc.constantFrom('slice', 'slice', 'permuteDims', 'flip'),
        ranges: fc.array(range, { minLength: 4, maxLength: 4 }),
        keys: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ shape, typestr, choices }) => {
    const steps: Step[] = [];
    let array = makeDescriptor({ pointer: 4096n, shape, dtype: typestr });
    for (const choice of choices) {
      const step = stepOn(array, choice);
      steps.push(step);
      array = apply(array, step);
    }
    return { shape, typestr, steps };
  });

interface Choice {
  readonly name: string;
  readonly ranges: readonly SliceRange[];
  readonly keys: readonly number[];
}

/** The choice made to fit the array's rank and lengths. */
function stepOn({ shape }: ArrayDescriptor, { name, ranges, keys }: Choice): Step {
  const axes = [...shape.keys()];
  const key = (axis: number) => keys[axis] as number;
  if (name === 'flip') return ['flip', axes.filter((axis) => key(axis) % 2 === 0)];
  if (name === 'permuteDims') return ['permuteDims', axes.sort((a, b) => key(a) - key(b))];
  const fit = (axis: number): SliceRange => {
    const [length, range] = [shape[axis] as number, ranges[axis] ?? null];
    if (typeof range !== 'number') return range;
    return length === 0 ? null : (range % length) - (key(axis) % 2) * length;
  };
  return ['slice', axes.map(fit)];
}

/** Core's view. */
export function apply(array: ArrayDescriptor, [name, argument]: Step): ArrayDescriptor {
  if (name === 'slice') return slice(array, argument);
  return name === 'flip' ? flip(array, argument) : permuteDims(array, argument);
}
