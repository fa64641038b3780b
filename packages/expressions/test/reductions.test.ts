import {
  type Backend,
  type BackendArray,
  type DTypeName,
  isArrayInterfaceError,
  makeDescriptor,
} from '@array-interface/core';
import { cuda, liveAllocations as onCuda } from '@array-interface/cuda';
import {
  all,
  any,
  argmax,
  argmin,
  countNonzero,
  cumulativeProd,
  cumulativeSum,
  max,
  mean,
  min,
  prod,
  reduction,
  type StandardReduction,
  scan,
  std,
  sum,
  variance,
} from '@array-interface/expressions';
import { host, liveAllocations as onHost } from '@array-interface/host';
import { liveAllocations as onSycl, sycl } from '@array-interface/sycl';
import { describe, expect, test, vi } from 'vitest';

// The tables of docs/internals/adr/0036-reductions.md. testing/peers compares with NumPy at random.

const backends: readonly [string, Backend, () => number][] = [
  ['the host', host, onHost],
  ['the simulator', cuda, onCuda],
  ['SYCL', sycl, onSycl],
];

/** The sum of at least 32 numbers, in the order that ADR 36 gives. */
function treeSum(numbers: Float64Array): number {
  const rows = Math.floor(numbers.length / 32);
  let lanes = Array.from({ length: 32 }, (_, lane) => {
    const leaves: number[] = [];
    for (let row = 0; row * 32 + lane < numbers.length; row++) {
      const own = numbers[row * 32 + lane] as number;
      const isNew = row % 16 === 0 && row < rows;
      if (isNew) leaves.push(own);
      else leaves.push((leaves.pop() as number) + own);
    }
    return pairwise(leaves);
  });
  while (lanes.length > 1) {
    const half = lanes.length / 2;
    lanes = lanes.slice(0, half).map((one, lane) => one + (lanes[half + lane] as number));
  }
  return lanes[0] as number;
}

/** The sums of up to 16,384 numbers from the first to each, in the order that ADR 36 gives. */
function leafSums(numbers: Float64Array): number[] {
  let [before, own] = [0, 0];
  return Array.from(numbers, (number, index) => {
    if (index % 64 === 0) [before, own] = [before + own, number];
    else own += number;
    return index < 64 ? own : before + own;
  });
}

function pairwise(numbers: readonly number[]): number {
  if (numbers.length === 1) return numbers[0] as number;
  const half = 2 ** Math.ceil(Math.log2(numbers.length) - 1);
  return pairwise(numbers.slice(0, half)) + pairwise(numbers.slice(half));
}

const norm = reduction(
  'norm',
  { inputs: { x: 'T' }, outputs: { y: 'T' } },
  { map: 'x * x', reduce: 'a + b', identity: 0, post: 'y = sqrt(a)' },
);
const extremes = reduction(
  'extremes',
  { inputs: { x: 'T', scale: 'float64' }, outputs: { low: 'T', high: 'T', width: 'float64' } },
  {
    map: 'least = x; most = x',
    reduce: 'least = minimum(a_least, b_least); most = maximum(a_most, b_most)',
    post: 'low = least; high = most; width = (most - least) * scale / count',
  },
);

async function values(backend: Backend, array: BackendArray): Promise<unknown[]> {
  return [...((await backend.toTypedArray(array)) as Float64Array)];
}

test('each of more outputs than a launch of the host has is computed', async () => {
  const count = 2 ** 30 + 64;
  using x = host.empty([count], 'uint8');
  await host.fill(x, 3);
  await host.fill(x.slice([[2 ** 30 - 1, 2 ** 30 + 2]]), 5);
  using made = await max(host, x.broadcastTo([2, count]), { axis: 0 });
  using sums = await sum(host, made);
  expect(await sums.item()).toBe(BigInt(3 * count + 3 * 2));
  expect(await values(host, made.slice([[2 ** 30 - 2, 2 ** 30 + 3]]))).toEqual([3, 5, 5, 5, 3]);
}, 300_000);

describe.each(backends)('on %s', (_, backend, live) => {
  test('axes are reduced in any layout, and outputs are new or given', async () => {
    const before = live();
    {
      using x = await backend.array([[[3, 4], [6, 8]], [[5, 12], [8, 15]]], { dtype: 'float32' }); // biome-ignore format: rows
      using lengths = (await norm(backend, { x }, { axis: -1 })).y;
      expect([lengths.shape, lengths.dtype.name]).toEqual([[2, 2], 'float32']);
      expect(await values(backend, lengths)).toEqual([5, 10, 13, 17]);
      using turned = (
        await norm(backend, { x: x.transpose().flip(1) }, { axis: 0, keepDims: true })
      ).y;
      expect(turned.shape).toEqual([1, 2, 2]);
      expect(await values(backend, turned)).toEqual([10, 17, 5, 13]);
      using pair = await backend.array([3, 4], { dtype: 'int8' });
      using records = backend.empty(
        [2],
        [
          ['n', 'int8'],
          ['v', 'f8'],
        ],
      );
      await sum(backend, x, { axis: [0, -1], out: records.field('v') });
      using sums = await backend.array(records.field('v'));
      expect(await values(backend, sums)).toEqual([24, 37]);
      using dot = (
        await reduction(
          'dot',
          { inputs: { x: 'T', w: 'T' }, outputs: { y: 'T' } },
          { map: 'x * w', reduce: 'a + b' },
        )(backend, { x: x.slice([0]), w: pair }, { axis: 1 })
      ).y;
      expect([dot.dtype.name, await values(backend, dot)]).toEqual(['float32', [25, 50]]);
    }
    await vi.waitFor(() => expect(live()).toBeLessThanOrEqual(before), 60_000);
  });

  test('several accumulators and outputs, numbers in post, and the number of elements', async () => {
    using x = await backend.array(Int16Array.from({ length: 5000 }, (_, i) => (i * 37) % 4999));
    const made = await extremes(backend, { x, scale: 50 });
    using low = made.low;
    using high = made.high;
    using width = made.width;
    expect([low.dtype.name, await low.item(), await high.item()]).toEqual(['int16', 0, 4998]);
    expect(await width.item()).toBe(49.98);
  });

  test('texts assign accumulators and outputs in any order', async () => {
    const signature = { inputs: { x: 'T' }, outputs: { low: 'T', high: 'T' } } as const;
    const inOrder = ['p = minimum(a_p, b_p)', 'q = a_q + b_q'];
    const maps = ['p = x; q = x', 'q = x; p = x'];
    const posts = ['low = p; high = q', 'high = q; low = p'];
    using x = await backend.array([1, 2, 3, 4], { dtype: 'float64' });
    for (const map of maps) {
      for (const reduce of [inOrder.join('; '), inOrder.toReversed().join('; ')]) {
        for (const post of posts) {
          const texts = { map, reduce, post };
          const { low, high } = await reduction('both', signature, texts)(backend, { x });
          expect([map, reduce, post, await low.item(), await high.item()]).toEqual([
            map,
            reduce,
            post,
            1,
            10,
          ]);
          const scanned = await scan('scanned', signature, texts)(backend, { x });
          expect(await values(backend, scanned.low)).toEqual([1, 1, 1, 1]);
          expect(await values(backend, scanned.high)).toEqual([1, 3, 6, 10]);
          for (const one of [low, high, scanned.low, scanned.high]) one.dispose();
        }
      }
    }
  });

  test('an accumulator that is the same in all elements may go through a function of bits', async () => {
    // logaddexp takes floats apart. Each element adds exp(0), so w is the logarithm of their number.
    const signature = { inputs: { x: 'float64' }, outputs: { y: 'float64' } } as const;
    const steps = {
      map: 'w = 0.0; s = x',
      reduce: 'w = logaddexp(a_w, b_w); s = a_s + b_s',
      post: 'y = w + s',
    };
    const both = reduction('both', signature, steps);
    const running = scan('running', signature, steps);
    using x = await backend.zeros([3, 64], 'float64');
    for (const axis of [0, 1, [0, 1]]) {
      const { y } = await both(backend, { x }, { axis });
      const expected = Math.log(axis === 0 ? 3 : axis === 1 ? 64 : 192);
      for (const one of await values(backend, y)) expect(one).toBeCloseTo(expected, 12);
      y.dispose();
    }
    const { y } = await running(backend, { x }, { axis: 0 });
    const rows = (await y.toNested()) as number[][];
    for (const [row, all] of rows.entries()) {
      for (const one of all) expect(one).toBeCloseTo(Math.log(row + 1), 12);
    }
    y.dispose();
  });

  test('elements that are the same whatever an array has are each combined', async () => {
    const same = {
      'x ** 0': 1,
      'true ? 2.5 : x': 2.5,
      'where(x > 0, 1.0, 1.0)': 1,
      'x == x ? 0.5 : 0.5': 0.5,
    };
    const signature = { inputs: { x: 'T' }, outputs: { y: 'float64' } } as const;
    for (const count of [1, 33, 500, 1000, 8191, 9000]) {
      using x = await backend.array(new Float64Array(5 * count).fill(3).fill(0, count), {});
      const rows = x.reshape([5, count]);
      for (const [text, one] of Object.entries(same)) {
        const steps = { map: `v = ${text}`, reduce: 'v = a_v + b_v' };
        const total = reduction('total', signature, { ...steps, post: 'y = v' });
        const running = scan('running', signature, { ...steps, post: 'y = v' });
        using made = (await total(backend, { x: rows }, { axis: 1 })).y;
        expect([text, ...(await values(backend, made))]).toEqual([
          text,
          ...Array(5).fill(one * count),
        ]);
        using scanned = (await running(backend, { x }, { axis: 0 })).y;
        expect([text, await scanned.slice([5 * count - 1]).item()]).toEqual([
          text,
          one * 5 * count,
        ]);
      }
    }
  });

  test('an input may be the output that it alone is for, and no other', async () => {
    const signature = { inputs: { x: 'T', w: 'T' }, outputs: { y: 'T' } } as const;
    const dot = reduction('dot', signature, { map: 'x * w', reduce: 'a + b' });
    for (const count of [5, 40, 256]) {
      const numbers = Float64Array.from({ length: count }, (_, i) => i + 1);
      using x = await backend.array(new Float64Array(count * count).fill(1), {});
      const square = x.reshape([count, count]);
      using w = await backend.array(numbers);
      for (const one of [square, square.transpose()]) {
        await expect(dot(backend, { x: one, w }, { axis: 1, out: { y: w } })).rejects.toMatchObject(
          {
            code: 'ERR_OVERLAP',
            path: 'out.y',
          },
        );
      }
      expect(await values(backend, w)).toEqual([...numbers]);
      const columns = w.reshape([count, 1]);
      await dot(
        backend,
        { x: square, w: columns },
        { axis: 1, keepDims: true, out: { y: columns } },
      );
      await dot(backend, { x: square, w }, { axis: 0, out: { y: w } });
      expect(await values(backend, w)).toEqual([...numbers.map((one) => one * count * count)]);
    }
  });

  test('the bits are the same in every layout and for every way to cut the work', async () => {
    // Rounds at each step, and depends on the order.
    const numbers = Float64Array.from({ length: 6007 }, (_, i) => Math.sin(i) * 10 ** (i % 7));
    const columns = new Float64Array(6007 * 3).map((_, i) => numbers[Math.floor(i / 3)] as number);
    using x = await backend.array(numbers);
    using many = await backend.array(columns);
    const table = many.reshape([6007, 3]);
    using whole = await sum(backend, x);
    const expected = treeSum(numbers);
    expect(await whole.item()).toBe(expected);
    for (const [array, axis] of [
      [table, 0],
      [table.transpose(), 1],
      [table.transpose().flip(0), -1],
    ] as const) {
      using made = await sum(backend, array, { axis });
      expect(await values(backend, made)).toEqual([expected, expected, expected]);
    }
    // So many outputs that an item reduces each: one launch instead of two.
    using outputs = await sum(backend, x.slice([[0, 700]]).broadcastTo([17_000, 700]), { axis: 1 });
    const all700 = new Set(await values(backend, outputs));
    expect([...all700]).toEqual([treeSum(numbers.subarray(0, 700))]);
  }, 120_000);

  test.each(['float64', 'float32', 'int8', 'uint16', 'int64', 'bool'] as const)(
    'also of outputs that are neighbours, of %s: elements any step apart',
    async (type) => {
      // Floats round at each step, and depend on the order.
      const numbers = Array.from({ length: 100 * 600 }, (_, i) =>
        type.startsWith('float') ? 1 + Math.sin(i) * 10 ** (i % 4) : ((i * 7919) % 101) % 3,
      );
      using block = await backend.array(numbers, { dtype: type });
      const each = (
        type === 'bool' ? [any, argmin, sum] : [argmax, max, mean, prod, sum]
      ) as StandardReduction[];
      const layouts = [600, 17, 0, -600, 3].flatMap((step) =>
        [17, 590].map((width) => [step, [100, width]] as const),
      );
      // Few outputs, whose elements are behind one another in the block, or a step apart.
      const few = [2, 3, 5, 8, 14, 15].flatMap((width) =>
        [width, 21, -21].map((step) => [step, [1031, width]] as const),
      );
      for (const [step, shape] of [...layouts, ...few]) {
        const first = step < 0 ? -step * (shape[0] - 1) : 0;
        const pointer = block.pointer + BigInt(first * block.itemsize);
        const byteStrides = [step * block.itemsize, block.itemsize];
        const own = { pointer, shape, byteStrides, dtype: type, owner: block.memory };
        const x = makeDescriptor(own as never);
        using dense = await backend.array(x);
        using rows = await backend.array(dense.transpose());
        for (const reduce of each) {
          using across = await reduce(backend, x, { axis: 0 });
          using along = await reduce(backend, rows, { axis: 1 });
          using whole = await reduce(backend, x);
          using flat = await reduce(backend, dense);
          expect(await across.toNested()).toEqual(await along.toNested());
          expect(await whole.item()).toEqual(await flat.item());
        }
        if (type !== 'float64') continue;
        using sums = await sum(backend, x, { axis: 0 });
        const columns = await rows.toNested();
        const wanted = (columns as number[][]).map((one) => treeSum(Float64Array.from(one)));
        expect(await sums.toNested()).toEqual(wanted);
      }
    },
    120_000,
  );

  test('work is ordered with all other work, also while code is built', async () => {
    using x = await backend.array([1, 2, 3], { dtype: 'float64' });
    const once = reduction(
      'once',
      { inputs: { x: 'T' }, outputs: { y: 'T' } },
      { map: 'x * 3', reduce: 'a + b' },
    );
    const made = once(backend, { x });
    const filled = backend.fill(x, 0);
    using y = (await made).y;
    await filled;
    expect([await y.item(), await values(backend, x)]).toEqual([18, [0, 0, 0]]);
  });

  test('of no elements, the identity or an error', async () => {
    using none = backend.empty([2, 0], 'float32');
    const results: Record<string, unknown> = {};
    const reductions = { sum, prod, mean, variance, std, any, all, countNonzero };
    for (const [name, reduce] of Object.entries(reductions) as [string, typeof min][]) {
      using made = await reduce(backend, none, { axis: 1 });
      results[name] = [made.dtype.name, ...(await values(backend, made))].slice(0, 2);
    }
    expect(results).toEqual({
      sum: ['float32', 0],
      prod: ['float32', 1],
      mean: ['float32', Number.NaN],
      variance: ['float32', Number.NaN],
      std: ['float32', Number.NaN],
      any: ['bool', 0],
      all: ['bool', 1],
      countNonzero: ['int64', 0n],
    });
    for (const reduce of [min, max, argmin, argmax]) {
      await expect(reduce(backend, none)).rejects.toThrow(
        'at least one element to reduce, got the shape [2,0]',
      );
    }
    using nothing = await min(backend, none, { axis: 0 });
    expect(nothing.shape).toEqual([0]);
  });

  test('scans have the bits of leaves in a row, inclusive, exclusive and with an initial value', async () => {
    const numbers = Float64Array.from({ length: 1007 }, (_, i) => Math.sin(i) * 10 ** (i % 7));
    const expected = leafSums(numbers);
    using x = await backend.array(numbers);
    using sums = await cumulativeSum(backend, x);
    expect(await values(backend, sums)).toEqual(expected);
    using before = await cumulativeSum(backend, x, { exclusive: true });
    expect(await values(backend, before)).toEqual([0, ...expected.slice(0, -1)]);
    using columns = await cumulativeSum(backend, x.broadcastTo([2, 1007]).transpose(), {
      axis: 0,
      includeInitial: true,
    });
    expect(columns.shape).toEqual([1008, 2]);
    expect(await values(backend, columns)).toEqual([0, ...expected].flatMap((one) => [one, one]));
    // So many that an item scans each: one launch instead of two.
    using many = await cumulativeSum(backend, x.slice([[0, 130]]).broadcastTo([4096, 130]), {
      axis: 1,
    });
    expect((await values(backend, many)).slice(-130)).toEqual(leafSums(numbers.subarray(0, 130)));
    await cumulativeSum(backend, x, { out: x });
    expect(await values(backend, x)).toEqual(expected);
  });

  test('scans of texts, of small integers, and of nothing', async () => {
    using x = await backend.array([[3, 1, 4], [1, 5, 2]], { dtype: 'uint8' }); // biome-ignore format: rows
    // Associative, but not commutative: digits of a number.
    const digits = scan(
      'digits',
      { inputs: { x: 'T' }, outputs: { y: 'int64', n: 'int64' } },
      {
        map: 'scale = 10; number = int64(x); last = position',
        reduce:
          'scale = a_scale * b_scale; number = a_number * b_scale + b_number; last = maximum(a_last, b_last)',
        post: 'y = number; n = last + count',
      },
    );
    const made = await digits(backend, { x }, { axis: -1 });
    using y = made.y;
    using n = made.n;
    expect(await values(backend, y)).toEqual([3n, 31n, 314n, 1n, 15n, 152n]);
    expect(await values(backend, n)).toEqual([3n, 4n, 5n, 3n, 4n, 5n]);
    using products = await cumulativeProd(backend, x, { axis: 0 });
    expect([products.dtype.name, await values(backend, products)]).toEqual([
      'uint64',
      [3n, 1n, 4n, 3n, 5n, 8n],
    ]);
    using none = await cumulativeProd(backend, x.slice([[0, 0]]), {
      axis: 0,
      includeInitial: true,
    });
    expect([none.shape, await values(backend, none)]).toEqual([
      [1, 3],
      [1n, 1n, 1n],
    ]);
    const refused = (code: string, path: string, work: Promise<unknown>) =>
      expect(work).rejects.toMatchObject({ code, path });
    await refused('ERR_ARGUMENT', 'axis', cumulativeSum(backend, x));
    await refused('ERR_ARGUMENT', 'digits', digits(backend, { x }, { axis: 0, exclusive: true }));
    await refused(
      'ERR_SHAPE_MISMATCH',
      'out.result',
      cumulativeSum(backend, x, { axis: 0, includeInitial: true, out: x }),
    );
    await refused(
      'ERR_OVERLAP',
      'out.result',
      cumulativeSum(backend, x, { axis: 0, exclusive: true, dtype: 'uint8', out: x }),
    );
    expect(await values(backend, x)).toEqual([3, 1, 4, 1, 5, 2]);
  });

  test('a call takes the plan of one like it, and of no other', async () => {
    for (const base of [0, 10]) {
      using x = await backend.array(
        [
          [1, 2, 3],
          [4, 5, 6],
        ].map((row) => row.map((one) => one + base)),
        { dtype: 'float32' },
      );
      using to = backend.empty([2], 'float64');
      const of = async (options: object, array: BackendArray = x) => {
        using made = await sum(backend, array, options);
        return [made.dtype.name, [...made.shape], ...(await values(backend, made))];
      };
      expect(await of({})).toEqual(['float32', [], 21 + 6 * base]);
      expect(await of({ axis: 0 })).toEqual([
        'float32',
        [3],
        5 + 2 * base,
        7 + 2 * base,
        9 + 2 * base,
      ]);
      expect(await of({ axis: [1], keepDims: true })).toEqual([
        'float32',
        [2, 1],
        6 + 3 * base,
        15 + 3 * base,
      ]);
      expect(await of({ axis: 1 }, x.flip(0))).toEqual([
        'float32',
        [2],
        15 + 3 * base,
        6 + 3 * base,
      ]);
      expect(await of({ dtype: 'int8' })).toEqual(['int8', [], 21 + 6 * base]);
      await sum(backend, x, { axis: 1, out: to });
      expect(await values(backend, to)).toEqual([6 + 3 * base, 15 + 3 * base]);
      const { low, high, width } = await extremes(backend, { x, scale: base + 6 });
      expect(await width.item()).toBe((5 * (base + 6)) / 6);
      for (const one of [low, high, width]) one.dispose();
      const scanned = async (options: object, array: BackendArray = x) => {
        using made = await cumulativeSum(backend, array, options);
        return [[...made.shape], ...(await values(backend, made))];
      };
      expect(await scanned({ axis: 0 })).toEqual([
        [2, 3],
        ...[1, 2, 3].map((one) => one + base),
        ...[5, 7, 9].map((one) => one + 2 * base),
      ]);
      expect(await scanned({ axis: 1, exclusive: true })).toEqual([
        [2, 3],
        0,
        1 + base,
        3 + 2 * base,
        0,
        4 + base,
        9 + 2 * base,
      ]);
      expect(await scanned({ axis: 0, includeInitial: true }, x.slice([null, [0, 1]]))).toEqual([
        [3, 1],
        0,
        1 + base,
        5 + 2 * base,
      ]);
      await expect(sum(backend, x, { axis: ['0'] as never })).rejects.toMatchObject({
        path: 'axis[0]',
      });
    }
  });

  test('any and all stop where the result is known, and nowhere else', async () => {
    const length = 300_007;
    for (const [reduce, usual] of [
      [any, 0],
      [all, 1],
    ] as const) {
      const row = async (at: number | null) => {
        const elements = new Uint8Array(length).fill(usual);
        if (at !== null) elements[at] = 1 - usual;
        using x = await backend.array(elements);
        using made = await reduce(backend, x);
        using rows = await reduce(backend, x.broadcastTo([2, length]), { axis: 1 });
        const [first, second] = await values(backend, rows);
        expect(first).toBe(second);
        return [await made.item(), first];
      };
      expect(await row(null)).toEqual([usual === 1, usual]);
      for (const at of [0, 31, 4096, 150_000, length - 1]) {
        expect([at, await row(at)]).toEqual([at, [usual === 0, 1 - usual]]);
      }
      using columns = await backend.array(Uint8Array.of(0, 1, 1, 0), { shape: [2, 2] });
      using of = await reduce(backend, columns.broadcastTo([5000, 2, 2]), { axis: [0, 1] });
      expect(await values(backend, of)).toEqual([1 - usual, 1 - usual]);
    }
  }, 60_000);

  test.each(['bool', 'uint8', 'int16', 'int32', 'int64', 'float16', 'float32', 'float64'] as const)(
    'any, all and counts of %s say what each number says, whatever the layout',
    async (type) => {
      const isTrue = (value: unknown) => value !== 0 && value !== 0n && value !== false;
      const isRare = (i: number) => (i * 7919) % 401 === 7;
      for (const [reduce, rare, usual] of [
        [any, 1, 0],
        [all, 0, 2],
      ] as const) {
        const numbers = Array.from({ length: 12_000 }, (_, i): number =>
          isRare(i) ? rare : usual,
        );
        if (type.startsWith('float')) numbers.splice(5000, 2, Number.NaN, -0);
        using block = await backend.array(numbers, { dtype: type });
        for (const [shape, steps] of [
          [
            [1, 6000],
            [0, 2],
          ],
          [
            [30, 400],
            [400, 1],
          ],
          [
            [36, 332],
            [333, 1],
          ],
          [
            [50, 200],
            [0, 1],
          ],
          [
            [200, 50],
            [1, 200],
          ],
          [
            [5, 7],
            [1000, 9],
          ],
        ] as const) {
          const byteStrides = steps.map((step) => step * block.itemsize);
          const { pointer, memory: owner } = block;
          const x = makeDescriptor({ pointer, shape, byteStrides, dtype: type, owner });
          using dense = await backend.array(x);
          const rows = (await dense.toNested()) as unknown[][];
          const columns = (rows[0] as unknown[]).map((_, column) => rows.map((row) => row[column]));
          const of = (elements: unknown[]) =>
            reduce === any ? elements.some(isTrue) : elements.every(isTrue);
          using along = await reduce(backend, x, { axis: 1 });
          using across = await reduce(backend, x, { axis: 0 });
          using whole = await reduce(backend, x);
          expect(await along.toNested()).toEqual(rows.map(of));
          expect(await across.toNested()).toEqual(columns.map(of));
          expect(await whole.item()).toBe(of(rows.flat()));
          const count = (elements: unknown[]) => BigInt(elements.filter(isTrue).length);
          using countsAlong = await countNonzero(backend, x, { axis: 1 });
          using countsAcross = await countNonzero(backend, x, { axis: 0 });
          using counts = await countNonzero(backend, x);
          expect(await countsAlong.toNested()).toEqual(rows.map(count));
          expect(await countsAcross.toNested()).toEqual(columns.map(count));
          expect(await counts.item()).toBe(count(rows.flat()));
        }
      }
    },
    60_000,
  );

  test('what is refused changes nothing and keeps nothing', async () => {
    using x = await backend.array([1, 2, 3], { dtype: 'float32' });
    using tiny = backend.empty([], 'int8');
    const before = live();
    const refused = (code: string, work: Promise<unknown>) =>
      expect(work).rejects.toMatchObject({ code });
    await refused(
      'ERR_OVERLAP',
      sum(backend, x, { axis: 0, keepDims: true, out: x.slice([[0, 1]]) }),
    );
    await refused('ERR_READ_ONLY', sum(backend, x, { out: x.slice([0]).broadcastTo([]) }));
    await refused('ERR_CASTING', mean(backend, x, { out: tiny }));
    await refused('ERR_SHAPE_MISMATCH', sum(backend, x, { out: x }));
    await refused('ERR_ARGUMENT', sum(backend, x, { axis: 1 }));
    await refused('ERR_ARGUMENT', sum(backend, x, { axis: [0, -1] }));
    await refused('ERR_ARGUMENT', sum(backend, x, { axes: 0 } as never));
    await refused('ERR_ARGUMENT', extremes(backend, { x, scale: x }));
    await refused('ERR_ARGUMENT', norm(backend, {} as never));
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    await expect(sum(backend, x, { signal: controller.signal })).rejects.toThrow('enough');
    expect(await values(backend, x)).toEqual([1, 2, 3]);
    await vi.waitFor(() => expect(live()).toBeLessThanOrEqual(before + 1), 60_000);
  });
});

describe('standard reductions', () => {
  const TYPES: readonly (readonly [DTypeName, ...DTypeName[]])[] = [
    // of: sum, mean, min
    ['bool', 'int64', 'float64', 'bool'],
    ['int8', 'int64', 'float64', 'int8'],
    ['uint32', 'uint64', 'float64', 'uint32'],
    ['float16', 'float16', 'float16', 'float16'],
    ['float32', 'float32', 'float32', 'float32'],
    ['complex64', 'complex64', 'complex64'],
  ];
  test.each(TYPES)('of %s have the standard’s dtypes', async (type, ofSum, ofMean, ofMin) => {
    using x = await host.ones([3], type);
    const types = [];
    for (const reduce of [sum, mean, ...(ofMin === undefined ? [] : [min])]) {
      using made = await reduce(host, x);
      types.push(made.dtype.name);
    }
    expect(types).toEqual([ofSum, ofMean, ofMin].filter((one) => one !== undefined));
    if (ofMin !== undefined) return;
    const got = variance(host, x);
    await expect(got).rejects.toMatchObject({ code: 'ERR_DTYPE_UNSUPPORTED', path: 'x' });
  });

  test('NaN, -0, equal elements and wrapping', async () => {
    using x = await host.array([[2, Number.NaN, 7], [-0, 0, -0], [5, 5, 1]], { dtype: 'float64' }); // biome-ignore format: rows
    const of = async (reduce: typeof min) => {
      using made = await reduce(host, x, { axis: 1 });
      return values(host, made);
    };
    expect(await of(min)).toEqual([Number.NaN, -0, 1]);
    expect(await of(max)).toEqual([Number.NaN, 0, 5]);
    expect(await of(argmin)).toEqual([1n, 0n, 2n]);
    expect(await of(argmax)).toEqual([1n, 0n, 0n]);
    using zeros = await host.array([-0, -0], { dtype: 'float32' });
    using zero = await sum(host, zeros);
    expect(await zero.item()).toBe(0);
    using bytes = await host.array([200, 100], { dtype: 'uint8' });
    using narrow = await sum(host, bytes, { dtype: 'int8' });
    using wide = await sum(host, bytes);
    expect([await narrow.item(), await wide.item()]).toEqual([44, 300n]);
    using spread = await variance(host, bytes, { correction: 1 });
    expect(await spread.item()).toBe(5000);
  });

  test('a sum is within the bound of a pairwise one, of float32 rounded once', async () => {
    const numbers = Float64Array.from({ length: 100_003 }, (_, i) => 0.1 + (i % 13) * 1e-9);
    let exact: readonly [high: number, low: number] = [0, 0];
    for (const value of numbers) exact = twoSum(...exact, value);
    using x = await host.array(numbers);
    using made = await sum(host, x);
    const error = Math.abs(Number(await made.item()) - exact[0] - exact[1]);
    expect(error).toBeLessThan((16 + Math.log2(100_003 / 16)) * 2 ** -53 * exact[0]);
    using ones = await host.full([2 ** 24 + 2], 1, 'float32');
    using count = await sum(host, ones);
    expect(await count.item()).toBe(2 ** 24 + 2);
  }, 120_000);
});

/** A sum of two doubles, and one more number. */
function twoSum(high: number, low: number, value: number): [number, number] {
  const sum = high + value;
  const other = sum - high;
  return [sum, low + (high - (sum - other)) + (value - other)];
}

describe('a fault is shown where it is', () => {
  const types = { inputs: { x: 'T' }, outputs: { y: 'T' } } as const;
  const messageOf = (steps: object, signature: object = types): string => {
    try {
      reduction('f', signature as typeof types, steps as never);
    } catch (error) {
      if (isArrayInterfaceError(error)) return error.message;
      throw error;
    }
    return 'no error';
  };
  test.each([
    [{ map: 'x +', reduce: 'a + b' }, '[ERR_ARGUMENT] map:1:4: expected an operand, got the end\n  | x +\n  |    ^'],
    [{ map: 'x', reduce: 'a + c' }, "reduce:1:5: expected the name of an operand, got 'c'"],
    [{ map: 'x', reduce: 'a + a' }, "reduce:1:6: expected each operand in the text, got none of 'b'"],
    [{ map: 'p = x; q = 1', reduce: 'p = a_p + b_p; q = a_q' }, "got none of 'b_q'"],
    [{ map: 'p = x; q = 1', reduce: 'p = a_p + b_p; q = a_q + b_q' }, "steps.post: expected a text that makes the outputs, got none"],
    [{ map: 'x', reduce: 'a + b', post: 'z = a' }, "post:1:1: expected the name of an output, got 'z'; did you mean"],
    [{ map: '1', reduce: 'a + b' }, "inputs.x: expected each operand in a text, got none of 'x'"],
    [{ map: 'x', reduce: 'a + b', identity: '0' }, 'steps.identity: expected a number, or true or false, got string'],
    [{ map: 'p = x; q = 1', reduce: 'p = a_p + b_p; q = a_q + b_q', post: 'y = p', identity: { p: 0 } }, 'steps.identity: expected an object with p, q, got one with p'],
    [{ map: 'x' }, 'steps.reduce: expected a text, got undefined'],
  ])('%j', (steps, expected) => {
    expect(messageOf(steps)).toContain(expected);
  }); // biome-ignore format: rows

  test('also in a call, whose types decide', async () => {
    const shift = reduction('shift', types, { map: 'x', reduce: 'a + b', post: 'y = a << 1' });
    await expect(shift(host, { x: Float32Array.of(1) })).rejects.toThrow(
      'post:1:5: expected integers, got float32',
    );
    const far = reduction('far', types, { map: 'x * i1', reduce: 'a + b' });
    await expect(far(host, { x: Float32Array.of(1) })).rejects.toThrow(
      "map: expected an index of the 1 axes of the operands, got 'i1'",
    );
  });
});

test('names and numbers of outputs and operands are types', () => {
  const never = () => {
    // @ts-expect-error: a misspelt operand
    void norm({} as never, { xx: 1 });
    // @ts-expect-error: a misspelt output
    void norm({} as never, { x: 1 }, { out: { z: new Float32Array(1) } });
    // @ts-expect-error: a misspelt option
    void sum({} as never, 1, { axes: 1 });
    // @ts-expect-error: an option of another reduction
    void sum({} as never, 1, { correction: 1 });
  };
  expect(typeof never).toBe('function');
});

test('what a function keeps of its calls serves no call with other options', async () => {
  const signature = { inputs: { x: 'T' }, outputs: { y: 'T' } } as const;
  const steps = { map: 'x', reduce: 'a + b', identity: 0, post: 'y = a' } as const;
  const calls = [{}, { axis: 0 }].flatMap((along) =>
    [true, false].flatMap((keepDims) =>
      ([null, 'float64', 'int8'] as const).flatMap((type) =>
        (['unsafe', 'same_kind'] as const).map((casting) => ({
          type,
          shape: 'axis' in along ? (keepDims ? [1, 2, 2] : [2, 2]) : keepDims ? [1, 1, 1] : [],
          options: { ...along, keepDims, casting },
        })),
      ),
    ),
  );
  using x = await host.array([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], { dtype: 'float32' }); // biome-ignore format: rows
  const kept = reduction('total', signature, steps);
  const outcome = async (total: typeof kept, { type, shape, options }: (typeof calls)[number]) => {
    using given = type && host.empty(shape, type);
    try {
      if (given) await total(host, { x }, { ...options, out: { y: given } });
      using y = given ?? (await total(host, { x }, options)).y;
      return [y.dtype.name, [...y.shape], await values(host, y)];
    } catch (error) {
      if (!isArrayInterfaceError(error)) throw error;
      return error.code;
    }
  };
  for (const call of [...calls, ...calls.toReversed()]) {
    const expected = await outcome(reduction('total', signature, steps), call);
    expect([call, await outcome(kept, call)]).toEqual([call, expected]);
  }
});
