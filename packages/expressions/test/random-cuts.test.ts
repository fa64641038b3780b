import {
  type Backend,
  type BackendArray,
  type DTypeName,
  dtype,
  makeDescriptor,
  type OwnedArray,
} from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import {
  all,
  any,
  argmax,
  argmin,
  countNonzero,
  max,
  mean,
  min,
  prod,
  reduction,
  std,
  sum,
} from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { random } from '@array-interface/random';
import { sycl } from '@array-interface/sycl';
import fc from 'fast-check';
import { expect, test } from 'vitest';

// Devices cut trees of many elements: by pieces, lanes, outputs, and in the order in which memory lies.
// None of it may be seen. Random layouts beside the host, which cuts nothing.

const TYPES: readonly DTypeName[] = ['bool', 'uint8', 'int16', 'int64', 'float32', 'float64'];

const OPERAND = { x: 'T' } as const;
/** Needs the index of an element along an axis, and its index among those reduced. */
const indexed = reduction(
  'indexed',
  { inputs: OPERAND, outputs: { y: 'float64' } },
  { map: 'float64(x) * (i0 + 1) / (position + 3)', reduce: 'a + b', identity: 0 },
);
const latest = reduction(
  'latest',
  { inputs: OPERAND, outputs: { least: 'T', last: 'int64' } },
  {
    map: 'low = x; place = x > 50 ? position : -1',
    reduce: 'low = minimum(a_low, b_low); place = maximum(a_place, b_place)',
    post: 'least = low; last = place',
  },
);

type Axes = { axis?: readonly number[] };
type Made = Record<string, OwnedArray<BackendArray>>;
type Reduce = (backend: Backend, x: BackendArray, options: Axes) => Promise<Made>;

const alone =
  (reduce: typeof sum): Reduce =>
  async (backend, x, options) => ({ y: await reduce(backend, x, options as never) });

const FUNCTIONS: Readonly<Record<string, Reduce>> = {
  ...Object.fromEntries(
    Object.entries({ all, any, countNonzero, max, mean, min, prod, std, sum }).map(
      ([name, reduce]) => [name, alone(reduce as typeof sum)],
    ),
  ),
  argmax: alone(argmax as typeof sum),
  argmin: alone(argmin as typeof sum),
  indexed: (backend, x, options) => indexed(backend, { x } as never, options as never) as never,
  latest: (backend, x, options) => latest(backend, { x } as never, options as never) as never,
};
const ONE_AXIS = ['argmax', 'argmin'];

/** What happens to an axis: how many elements of memory it has for each of its own, and in which order. */
const way = fc.constantFrom(
  ...(['plain', 'plain', 'plain', 'reversed', 'second', 'padded', 'repeated'] as const),
);

const layout = fc.integer({ min: 1, max: 4 }).chain((rank) =>
  fc.record({
    shares: fc.array(fc.integer({ min: 1, max: 10 }), { minLength: rank, maxLength: rank }),
    doublings: fc.integer({ min: 9, max: 18 }),
    more: fc.nat(63),
    ways: fc.array(way, { minLength: rank, maxLength: rank }),
    order: fc.shuffledSubarray([...Array(rank).keys()], { minLength: rank }),
    isReduced: fc.array(fc.boolean(), { minLength: rank, maxLength: rank }),
  }),
);

type Drawn = typeof layout extends fc.Arbitrary<infer T> ? T : never;

/** Lengths whose product is about 2^doublings, and how they lie in memory. */
function layOut({ shares, doublings, more, ways, order, isReduced }: Drawn) {
  const whole = shares.reduce((a, b) => a + b);
  const shape = shares.map((share, axis) => {
    const length = Math.round(2 ** ((doublings * share) / whole));
    return Math.max(1, axis === 0 ? length + (more % length) : length);
  });
  const strides = shape.map(() => 0);
  let [step, first] = [1, 0];
  for (const axis of order) {
    const [kind, length] = [ways[axis], shape[axis] as number];
    if (kind === 'repeated') continue;
    if (kind === 'second') step *= 2;
    strides[axis] = kind === 'reversed' ? -step : step;
    if (kind === 'reversed') first += step * (length - 1);
    step *= kind === 'padded' ? length + 3 : length;
  }
  const axes = isReduced.flatMap((is, axis) => (is ? [axis] : []));
  return { shape, strides, first, elements: step, axes };
}

/** Sums of float64 round; integers have the whole parts, zeros among them if `salt` is even. */
function numbers(count: number, salt: number): Float64Array {
  const least = salt % 2;
  return Float64Array.from({ length: count }, (_, i) => {
    const whole = ((i * 7919 + salt * 104_729) % 10_007) % 101;
    return least + whole + 1 / (3 + (i % 7));
  });
}

async function bytesOf(backend: Backend, made: Made): Promise<Record<string, unknown>> {
  const read: Record<string, unknown> = {};
  for (const [name, array] of Object.entries(made)) {
    using own = array;
    const typed = await backend.toTypedArray(own);
    read[name] = Buffer.from(typed.buffer, typed.byteOffset, typed.byteLength).toString('hex');
  }
  return read;
}

const BACKENDS: readonly (readonly [name: string, backend: Backend, usual: number])[] = [
  ['the simulator', cuda, 150],
  ['SYCL', sycl, 60],
];

test.each(BACKENDS)(
  'however trees are cut, the bits are those of the host: %s',
  async (_, backend, usual) => {
    const property = fc.asyncProperty(
      layout,
      fc.constantFrom(...TYPES),
      fc.constantFrom(...Object.keys(FUNCTIONS)),
      fc.nat(1000),
      async (drawn, type, name, salt) => {
        const { shape, strides, first, elements, axes } = layOut(drawn);
        const axis = ONE_AXIS.includes(name) ? axes.slice(0, 1) : axes;
        const options = axis.length === 0 ? {} : { axis };
        const results: unknown[] = [];
        for (const one of [host, backend] as Backend[]) {
          using block = await one.array(numbers(elements, salt), { dtype: 'float64' });
          using own = one.empty([elements], type);
          await one.copy(own, block, { casting: 'unsafe' });
          const { itemsize } = dtype(type);
          const x = makeDescriptor({
            pointer: own.pointer + BigInt(first * itemsize),
            shape,
            byteStrides: strides.map((stride) => stride * itemsize),
            dtype: type,
            owner: own.memory,
          });
          const reduce = FUNCTIONS[name] as Reduce;
          const made = await reduce(one, x as never, options);
          results.push(await bytesOf(one, made));
        }
        expect(results[1]).toEqual(results[0]);
      },
    );
    await fc.assert(property, random(usual));
  },
  600_000,
);
