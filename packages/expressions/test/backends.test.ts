import {
  type Backend,
  type BackendArray,
  fromProducer,
  makeDescriptor,
} from '@array-interface/core';
import { replace } from '@array-interface/core/backend';
import { cuda, liveAllocations as onCuda } from '@array-interface/cuda';
import {
  bincount,
  type ComputeOptions,
  cumulativeSum,
  elementwise,
  evaluate,
  evaluateSync,
  histogram,
  type OperandValue,
  searchsorted,
  sum,
} from '@array-interface/expressions';
import { host, liveAllocations as onHost } from '@array-interface/host';
import { liveAllocations as onSycl, sycl } from '@array-interface/sycl';
import { describe, expect, test, vi } from 'vitest';

const backends: readonly [string, Backend, () => number][] = [
  ['the host', host, onHost],
  ['the simulator', cuda, onCuda],
  ['SYCL', sycl, onSycl],
];

const axpy = elementwise(
  'axpy',
  { inputs: { a: 'T', x: 'T', y: 'T' }, outputs: { z: 'T' } },
  'z = a * x + y',
);
const split = elementwise(
  'split',
  { inputs: { x: 'T' }, outputs: { whole: 'int32', rest: 'R' } },
  'let low = floor(x)\nwhole = int32(low)\nrest = x - low',
);

async function values(backend: Backend, array: BackendArray): Promise<number[]> {
  return [...((await backend.toTypedArray(array)) as Float64Array)];
}

describe.each(backends)('on %s', (_, backend, live) => {
  test('operands are broadcast, in any layout, and outputs are new or given', async () => {
    const before = live();
    {
      using x = await backend.array([[1, 2, 3], [4, 5, 6]], { dtype: 'float32' }); // biome-ignore format: rows
      using y = await backend.array([10, 20], { dtype: 'float32' });
      using z = (await axpy(backend, { a: 2, x: x.transpose().flip(0), y })).z;
      expect([z.shape, z.dtype.name]).toEqual([[3, 2], 'float32']);
      expect(await values(backend, z)).toEqual([16, 32, 14, 30, 12, 28]);
      using records = backend.empty(
        [2],
        [
          ['n', 'int8'],
          ['v', 'f8'],
        ],
      );
      await axpy(backend, { a: 2, x: y, y: 1 }, { out: { z: records.field('v') } });
      using v = await backend.array(records.field('v'));
      expect(await values(backend, v)).toEqual([21, 41]);
      await axpy(backend, { a: x, x, y: 0 }, { out: { z: x } });
      expect(await values(backend, x)).toEqual([1, 4, 9, 16, 25, 36]);
    }
    await vi.waitFor(() => expect(live()).toBeLessThanOrEqual(before), 60_000);
  });

  test('several outputs have types of their own, and one may be given', async () => {
    using x = await backend.array([1.25, -1.25], { dtype: 'float64' });
    const made = await split(backend, { x });
    using whole = made.whole;
    using rest = made.rest;
    expect([whole.dtype.name, await values(backend, whole)]).toEqual(['int32', [1, -2]]);
    expect([rest.dtype.name, await values(backend, rest)]).toEqual(['float64', [0.25, 0.75]]);
    using given = backend.empty([2], 'int16');
    const other = await split(backend, { x }, { out: { whole: given } });
    other.rest.dispose();
    expect(Object.keys(other)).toEqual(['rest']);
    expect(await values(backend, given)).toEqual([1, -2]);
  });

  test('what is kept of a call serves none with a queue or a signal', async () => {
    using x = await backend.array([1, 2, 3], { dtype: 'float64' });
    let factor = 1;
    const compute = [
      (options: ComputeOptions) => axpy(backend, { a: 2, x, y: 1 }, { out: { z: x }, ...options }),
      (options: ComputeOptions) => sum(backend, x, options),
    ];
    for (const call of compute) {
      for (let count = 0; count < 2; count++) await call({});
      const queue = backend.createQueue();
      await call({ queue });
      queue.dispose();
      await expect(call({ queue })).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
      if (backend.name === 'host') continue; // it builds at once
      const controller = new AbortController();
      const before = await values(backend, x);
      const built = evaluate(backend, `x * ${++factor} - 1`, { x }, { out: x });
      const pending = call({ signal: controller.signal });
      controller.abort(new Error('enough'));
      await expect(pending).rejects.toThrow('enough');
      await built;
      expect(await values(backend, x)).toEqual(before.map((value) => value * factor - 1));
    }
  });

  test('work is ordered with all other work, also while code is built', async () => {
    using x = await backend.array([1, 2, 3], { dtype: 'float64' });
    const once = elementwise('once', { inputs: { x: 'T' }, outputs: { y: 'T' } }, 'y = x * 3 + 1');
    const made = once(backend, { x });
    const filled = backend.fill(x, 0);
    using y = (await made).y;
    await filled;
    expect(await values(backend, y)).toEqual([4, 7, 10]);
    expect(await values(backend, x)).toEqual([0, 0, 0]);
  });

  test('a NaN has no sign, whatever made it', async () => {
    using x = await backend.array([-1, 0], { dtype: 'float64' });
    for (const text of ['sqrt(x - 1)', 'x * 0 / 0', '-(x * 0 / 0)', 'sqrt(x * 0 / 0)']) {
      using made = await evaluate(backend, text, { x });
      const numbers = (await backend.toTypedArray(made)) as Float64Array;
      const bits = new BigUint64Array(numbers.buffer, numbers.byteOffset, 2);
      expect([text, ...bits].map(String)).toEqual([text, ...Array(2).fill(String(0x7ff8n << 48n))]);
    }
  });

  test.each([
    ['int8', -128],
    ['int16', -(2 ** 15)],
    ['int32', -(2 ** 31)],
  ] as const)(
    'a shift of %s to the right beyond its width leaves the sign',
    async (dtype, least) => {
      using x = await backend.array([least, least, 7], { dtype });
      using y = await backend.array([-1, 100, 100], { dtype });
      // A compiler may take -x for the opposite of x, which it is not for the least number.
      for (const [text, expected] of [
        ['x >> y', [-1, -1, 0]],
        ['(-x) >> x', [-1, -1, -1]],
        ['((-x) >> x) ** x', [1, 1, -1]],
      ] as const) {
        using made = await evaluate(backend, text, text.includes('y') ? { x, y } : { x });
        expect([text, ...(await values(backend, made))]).toEqual([text, ...expected]);
      }
    },
  );

  test('strides of many operands are not mistaken for addresses', async () => {
    using x = await backend.array([[1, 2], [3, 4]], { dtype: 'float64' }); // biome-ignore format: rows
    const names = Array.from({ length: 13 }, (_, index) => `x${index}`);
    const values = Object.fromEntries(
      names.map((name, index) => [name, index % 2 === 0 ? x : x.transpose()]),
    );
    using total = await evaluate(backend, names.join(' + '), values);
    expect(await total.toNested()).toEqual([[13, 7 * 2 + 6 * 3], [7 * 3 + 6 * 2, 52]]); // biome-ignore format: rows
  });

  test('what is empty or without axes', async () => {
    using empty = backend.empty([0, 3], 'int16');
    using none = await evaluate(backend, 'x + 1', { x: empty });
    expect([none.shape, none.dtype.name]).toEqual([[0, 3], 'int16']);
    using single = await backend.array(5, { dtype: 'uint8' });
    using ten = await evaluate(backend, 'x * 2', { x: single });
    expect(await ten.item()).toBe(10);
  });

  test('calls that differ in one thing share no code', async () => {
    const bytes = new Uint8Array(20);
    new Float32Array(bytes.buffer).set([0, 1, 2, 3, 4]);
    using even = await backend.array(bytes);
    using odd = await backend.array(Uint8Array.of(0, ...bytes));
    using x = await backend.array([1, 2, 3, 4], { dtype: 'float32' });
    const types = ['int32', 'uint32', '>f4', 'float64'] as const;
    const typed = await Promise.all(types.map((dtype) => backend.array([1, 2, 3, 4], { dtype })));
    const calls: (readonly [y: OperandValue, sums: number[]])[] = [
      [x, [2, 4, 6, 8]],
      [x.flip(0), [5, 5, 5, 5]],
      [x.slice([[2, 3]]), [4, 5, 6, 7]],
      [even.view('float32').slice([[1, 5]]).flip(), [5, 5, 5, 5]],
      [odd.slice([[1, 21]]).view('float32').slice([[1, 5]]).flip(), [5, 5, 5, 5]], // not aligned
      ...typed.map((y) => [y, [2, 4, 6, 8]] as const),
      [10, [11, 12, 13, 14]],
      [10n, [11, 12, 13, 14]],
    ] as never; // biome-ignore format: one each
    const add = elementwise(
      'add',
      { inputs: { x: 'S', y: 'U' }, outputs: { z: 'R' } },
      'z = x + y',
    );
    for (const order of [calls, calls.toReversed(), calls]) {
      for (const [y, sums] of order) {
        using z = (await add(backend, { x, y })).z;
        using into = backend.empty([4], 'float32');
        await add(backend, { x, y }, { out: { z: into } });
        const made = [await values(backend, z), await values(backend, into)];
        expect([String(y), ...made]).toEqual([String(y), sums, sums]);
      }
    }
    for (const y of typed) y.dispose();
  });

  test('a call like an earlier one is checked as that one was', async () => {
    using x = await backend.array([1, 2, 3, 4, 5, 6], { dtype: 'float32' });
    using wide = await backend.array([1, 2, 3, 4], { dtype: 'float64' });
    using z = backend.empty([4], 'float32');
    const add = elementwise(
      'add',
      { inputs: { x: 'T', y: 'T' }, outputs: { z: 'T' } },
      'z = x + y',
    );
    const [low, high] = [x.slice([[0, 4]]), x.slice([[1, 5]])];
    const refused = (code: string, path: string, given: Promise<unknown>) =>
      expect(given).rejects.toMatchObject({ code, path });
    for (let pass = 0; pass < 2; pass++) {
      await add(backend, { x: low, y: high }, { out: { z } });
      await add(backend, { x: wide, y: wide }, { out: { z } });
      expect(await values(backend, z)).toEqual([2, 4, 6, 8]);
      const y = low;
      await refused('ERR_OVERLAP', 'out.z', add(backend, { x: low, y }, { out: { z: high } }));
      using fixed = backend.asArray(z, { readOnly: true });
      await refused('ERR_READ_ONLY', 'out.z', add(backend, { x: low, y }, { out: { z: fixed } }));
      const masked = replace(low.descriptor, { mask: fromProducer(Uint8Array.of(1, 0, 1, 0)) });
      await refused('ERR_MASK', 'y', add(backend, { x: low, y: masked }, { out: { z } }));
      const ended = await backend.array([1, 2, 3, 4], { dtype: 'float32' });
      ended.dispose();
      await refused('ERR_DISPOSED', 'x', add(backend, { x: ended, y }, { out: { z } }));
      await refused('ERR_DISPOSED', 'out.z', add(backend, { x: low, y }, { out: { z: ended } }));
      const safe = { out: { z }, casting: 'safe' } as const;
      await refused('ERR_CASTING', 'z', add(backend, { x: wide, y: wide }, safe));
    }
    expect(await values(backend, x)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('what is refused changes nothing and keeps nothing', async () => {
    using x = await backend.array([1, 2, 3], { dtype: 'float32' });
    const before = live();
    const refused = (code: string, work: Promise<unknown>) =>
      expect(work).rejects.toMatchObject({ code });
    await refused('ERR_OVERLAP', evaluate(backend, 'x + 1', { x: x.flip(0) }, { out: x }));
    await refused('ERR_READ_ONLY', evaluate(backend, 'x + 1', { x }, { out: x.broadcastTo([3]) }));
    await refused(
      'ERR_CASTING',
      evaluate(backend, 'x * 1.5', { x }, { out: backend.empty([3], 'int8') }).finally(() => {}),
    );
    await refused('ERR_SHAPE_MISMATCH', axpy(backend, { a: 1, x, y: x.slice([[0, 2]]) }));
    await refused('ERR_ARGUMENT', axpy(backend, { a: 1, x } as never));
    await refused('ERR_ARGUMENT', axpy(backend, { a: 1, x, y: x, w: x } as never));
    await refused(
      'ERR_TYPE',
      elementwise(
        'f',
        { inputs: { x: 'float32', n: 'int8' }, outputs: { y: 'T' } },
        'y = x * n',
      )(backend, { x, n: 1.5 }),
    );
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    await expect(axpy(backend, { a: 1, x, y: x }, { signal: controller.signal })).rejects.toThrow(
      'enough',
    );
    expect(await values(backend, x)).toEqual([1, 2, 3]);
    await vi.waitFor(() => expect(live()).toBeLessThanOrEqual(before + 1), 60_000);
    const disposed = await backend.array([1], { dtype: 'float32' });
    disposed.dispose();
    await refused('ERR_DISPOSED', evaluate(backend, 'x + 1', { x: disposed }));
  });
});

test('functions of complex numbers have the same bits everywhere', async () => {
  const parts = [0, -0, 1, -2.5, 1e-300, 710, Number.POSITIVE_INFINITY, Number.NaN];
  const pairs = parts.flatMap((re) => parts.flatMap((im) => [re, im]));
  for (const dtype of ['complex64', 'complex128'] as const) {
    const elements = dtype === 'complex64' ? Float32Array.from(pairs) : Float64Array.from(pairs);
    const z = makeDescriptor({
      pointer: 0,
      shape: [parts.length ** 2],
      dtype,
      buffer: elements.buffer,
    });
    for (const text of [
      'exp(z) + log(z)',
      'sqrt(z) * tanh(z)',
      'acosh(z) ** 3',
      'z ** atan(z)',
      'abs(z) * sign(z)',
    ]) {
      const expected = new Uint8Array(evaluateSync(text, { z }).buffer as ArrayBuffer);
      for (const [name, backend] of backends) {
        using operand = await backend.array(z);
        using made = await evaluate(backend, text, { z: operand });
        const { buffer, byteOffset, byteLength } = await backend.toTypedArray(made);
        const bytes = new Uint8Array(buffer, byteOffset, byteLength);
        expect([name, dtype, text, Buffer.compare(bytes, expected)]).toEqual([
          name,
          dtype,
          text,
          0,
        ]);
      }
    }
  }
});

test('what follows a failed copy of an operand is not done', async () => {
  using out = await host.array([7, 7], { dtype: 'float64' });
  using swapped = await host.array([1, 2], { dtype: '>f8' });
  const { signal } = new AbortController();
  let reads = 0;
  const abortsAt = (read: number) => {
    reads = 0;
    Object.defineProperty(signal, 'aborted', { configurable: true, get: () => ++reads === read });
    Object.defineProperty(signal, 'reason', { configurable: true, get: () => 'enough' });
  };
  for (let read = 1; read < 10; read++) {
    abortsAt(read);
    const outcome = await evaluate(host, 'x + 1', { x: swapped }, { out, signal }).catch(
      (error: unknown) => error,
    );
    const expected = outcome === undefined ? [2, 3] : [7, 7];
    expect([read, await values(host, out)]).toEqual([read, expected]);
    await host.fill(out, 7);
  }
});

test('arrays of JavaScript are operands on the host', async () => {
  using sum = await evaluate(host, 'x + y', {
    x: Int16Array.of(1, 2),
    y: new Uint8Array([10, 20]),
  });
  expect([...((await host.toTypedArray(sum)) as Int16Array)]).toEqual([11, 22]);
});

test('a dtype that code does not have is refused under the name of its operand, also if no result needs it', async () => {
  using x = await host.array([1, 2, 3], { dtype: 'float32' });
  using n = await host.array([1, 2, 3], { dtype: 'int32' });
  using text = host.empty([3], '<U2');
  const calls: readonly (readonly [path: string, call: () => Promise<unknown>])[] = [
    ...['x + y', 'sum(x + y)', 'let a = y; x + 1', 'let a = y; sum(x) + 1'].map(
      (one) => ['y', () => evaluate(host, one, { x, y: text })] as const,
    ),
    ...['x + 1', 'x + sum(x)'].map(
      (one) => ['out.result', () => evaluate(host, one, { x }, { out: text })] as const,
    ),
    ['x', () => sum(host, text)],
    ['x', () => cumulativeSum(host, text)],
    ['x', () => bincount(host, text)],
    ['weights', () => bincount(host, n, { weights: text })],
    ['x', () => histogram(host, text)],
    ['weights', () => histogram(host, x, { weights: text })],
    ['edges', () => histogram(host, x, { edges: text })],
    ['sorted', () => searchsorted(host, text, x)],
    ['x', () => searchsorted(host, x, text)],
  ];
  for (const [path, call] of calls) {
    await expect(call(), `${call}`).rejects.toMatchObject({ code: 'ERR_DTYPE_UNSUPPORTED', path });
  }
});
