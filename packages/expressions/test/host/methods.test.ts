import { type DTypeName, transpose } from '@array-interface/core';
import { logSumExp, reduction, variance } from '@array-interface/expressions';
import { host } from '@array-interface/host';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RESULT } from '../../src/meaning/check-names.js';
import { READY_MADE } from '../../src/reduce/ready-made.js';

// The host has loops for these. The same text as a reduction of one's own has none.

const TYPES = ['float32', 'float64', 'int16'] as const;
const SHAPES = [[1], [3001], [60, 33], [20, 40], [700, 5], [3, 900], [300, 70]];
const SPECIAL = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0, 1e300];

const number = fc.double({ min: -800, max: 800 });
const rarely = fc.oneof({ arbitrary: number, weight: 400 }, fc.constantFrom(...SPECIAL));

/** The same reduction by its text. */
function byText(name: 'logsumexp' | 'var', type: DTypeName) {
  const { type: result, steps } = READY_MADE[name].make(type);
  const inputs = name === 'var' ? { x: type, correction: 'float64' as const } : { x: type };
  return reduction('own', { inputs, outputs: { [RESULT]: result } } as never, steps);
}

test.each(TYPES)('logSumExp and variance of %s have the bits of their texts', async (type) => {
  const texts = { logsumexp: byText('logsumexp', type), var: byText('var', type) };
  for (const shape of SHAPES) {
    const size = shape.reduce((product, length) => product * length, 1);
    const some = type === 'int16' ? fc.integer({ min: -500, max: 500 }) : rarely;
    const values = fc.sample(
      fc.array(some, { minLength: size, maxLength: size }),
      1,
    )[0] as number[];
    using block = await host.array(values, { dtype: type, shape });
    for (const x of [block.descriptor, transpose(block.descriptor)]) {
      for (const axis of [undefined, ...shape.keys()]) {
        const options = axis === undefined ? {} : { axis };
        using sum = await logSumExp(host, x, options);
        using spread = await variance(host, x, options);
        const own = await texts.logsumexp(host, { x } as never, options);
        const ownSpread = await texts.var(host, { x, correction: 0 } as never, options);
        using one = own[RESULT];
        using other = ownSpread[RESULT];
        const read = async (array: typeof sum) => [
          ...((await host.toTypedArray(array)) as Float64Array),
        ];
        expect([shape, axis, await read(sum)]).toEqual([shape, axis, await read(one as never)]);
        expect([shape, axis, await read(spread)]).toEqual([
          shape,
          axis,
          await read(other as never),
        ]);
      }
    }
  }
});
