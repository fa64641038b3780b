import type { BackendArray, ErrorCode, LaunchOptions } from '@array-interface/core';
import { defineKernel } from '@array-interface/core/kernel';
import { describe, expect } from 'vitest';
import { type ContractCode, kernelsOf } from '../kernels/kernels-of.js';
import { exported } from '../support/exported.js';
import { pendingOrEnded, withFixtures } from '../support/fixtures.js';
import { OtherQueue } from '../support/other-queue.js';
import { refused } from '../support/refused.js';
import type { BackendSubject, Subject } from '../support/subject.js';
import { noLaunches } from './no-launches.js';

const LENGTH = 1000;

interface Arrays {
  readonly source: BackendArray;
  readonly target: BackendArray;
}

/** The bytes of an array from the second on, as elements of a dtype. None of them is aligned. */
function shifted(array: BackendArray, dtype: 'float32' | 'int16'): BackendArray {
  const bytes = array.view('uint8');
  const [size] = bytes.shape as [number];
  return bytes.slice([[1, size - 3]]).view(dtype);
}

/** Kernels: their arguments, refusals, and the order of their work. */
export function launches(subject: BackendSubject): void {
  if (subject.kernels === null) noLaunches(subject);
  else launchesOf(subject, subject.kernels);
}

function launchesOf({ backend }: Subject, code: ContractCode | undefined): void {
  const { axpy, count, move, numbers } = kernelsOf(backend.name, code);
  const full = (value: number) => new Float32Array(LENGTH).fill(value);
  const expected = Float32Array.from({ length: LENGTH }, (_, i) => 2 * i + 1);
  const all = { range: [LENGTH] };
  const test = withFixtures(backend, {
    /** 0, 1, 2 and so on. */
    source: () => backend.array(Float32Array.from({ length: LENGTH }, (_, i) => i)),
    target: () => backend.array(full(1)),
  });
  /** Launches `target += 2 * source`, or what other values and another kernel make of it. */
  const launch = (values: object, grid: LaunchOptions = all, kernel = axpy) =>
    backend.launch(kernel, grid, { factor: 2, n: LENGTH, ...values } as never);

  describe('launch', () => {
    test('computes', async ({ source, target }) => {
      await launch({ source, target });
      expect(await backend.toTypedArray(target)).toEqual(expected);
    });

    test('computes in groups, which may reach beyond the range', async ({ source, target }) => {
      await launch({ source, target }, { ...all, group: [48] });
      expect(await backend.toTypedArray(target)).toEqual(expected);
    });

    test.each([[[3, 5, 7]], [[1, 1, 1]], [[2, 1, 67]], [[1, 131, 3]], [[100, 1, 1]]])(
      'runs every item of %j once, on three axes',
      async (range) => {
        const [planes, rows, columns] = range as [number, number, number];
        const length = planes * rows * columns;
        using target = await backend.array(new Int32Array(length));
        for (const group of [undefined, [1, 4, 8], [2, 3, 5]]) {
          const grid = group === undefined ? { range } : { range, group };
          await backend.launch(count, grid, { target, planes, rows, columns });
        }
        expect(await backend.toTypedArray(target)).toEqual(new Int32Array(length).fill(3));
      },
    );

    test('runs every item of a range that is long on its slowest axis, in groups of the backend’s choice', async () => {
      using target = await backend.array(new Int32Array(70000));
      const values = { target, planes: 70000, rows: 1, columns: 1 };
      await backend.launch(count, { range: [70000, 1, 1] }, values);
      const counts = await backend.toTypedArray(target);
      // Vitest would take minutes to show a difference of so many elements.
      expect([counts.length, counts.findIndex((one) => one !== 1)]).toEqual([70000, -1]);
    });

    test('runs no item of an empty range', async () => {
      using target = await backend.array(new Int32Array(4));
      const values = { target, planes: 1, rows: 0, columns: 4 };
      await backend.launch(count, { range: [1, 0, 4] }, values);
      expect(await backend.toTypedArray(target)).toEqual(new Int32Array(4));
    });

    test('takes strides if the code does: slices, reversed and transposed arrays', async () => {
      const values = Int16Array.from({ length: 6 * 8 }, (_, i) => i);
      using source = await backend.array(values, { shape: [6, 8] });
      using target = await backend.array(new Int16Array(4 * 3), { shape: [4, 3] });
      const read = source
        .slice([
          [0, 6, 2],
          [0, 8, 2],
        ])
        .flip()
        .transpose();
      const written = target.flip([0]);
      const grid = { range: [4, 3] };
      await backend.launch(move, grid, { source: read, target: written, rows: 4, columns: 3 });
      expect(await backend.toTypedArray(written)).toEqual(await backend.toTypedArray(read));
    });

    test('takes numbers of every type, to their limits', async () => {
      using integers = await backend.array(new BigInt64Array(8));
      using floats = await backend.array(new Float32Array(1));
      const limits = {
        ...{ a: -128, b: 255, c: -32768, d: 65535, e: -(2 ** 31), f: 2 ** 32 - 1 },
        ...{ g: -(2n ** 63n), h: 2n ** 64n - 1n, i: 0.1 },
      };
      await backend.launch(numbers, { range: [1] }, { integers, floats, ...limits });
      expect(await backend.toTypedArray(integers)).toEqual(
        BigInt64Array.of(
          ...[-128n, 255n, -32768n, 65535n, -(2n ** 31n), 2n ** 32n - 1n, -(2n ** 63n), -1n],
        ),
      );
      expect(await backend.toTypedArray(floats)).toEqual(Float32Array.of(0.1));
    });

    test('takes a bool as a byte', async () => {
      const parameters = { ...numbers.parameters, b: 'bool' } as const;
      const kernel = defineKernel({ ...numbers, parameters: parameters as never });
      using integers = await backend.array(new BigInt64Array(8));
      using floats = await backend.array(new Float32Array(1));
      const others = { a: 0, c: 0, d: 0, e: 0, f: 0, g: 0, h: 0, i: 0 };
      for (const b of [true, false]) {
        const values = { integers, floats, ...others, b };
        await backend.launch(kernel, { range: [1] }, values as never);
        expect((await backend.toTypedArray(integers))[1]).toBe(BigInt(b));
      }
      const wrong = { integers, floats, ...others, b: 1 };
      const launched = () => backend.launch(kernel, { range: [1] }, wrong as never);
      expect((await refused(launched, 'ERR_TYPE')).path).toBe('b');
    });

    test('takes an array’s length without an argument', async ({ source, target }) => {
      const parameters = { ...axpy.parameters, n: { size: 'target' } } as const;
      const kernel = defineKernel({ ...axpy, parameters: parameters as never });
      await backend.launch(kernel, { range: [LENGTH + 100] }, {
        source,
        target,
        factor: 2,
      } as never);
      expect(await backend.toTypedArray(target)).toEqual(expected);
      using short = await backend.array(full(1).subarray(0, 10));
      await backend.launch(kernel, all, { source, target: short, factor: 0 } as never);
      expect(await backend.toTypedArray(short)).toEqual(full(1).subarray(0, 10));
    });

    test('has the group that the code requires, and no other', async ({ source, target }) => {
      const kernel = defineKernel({ ...axpy, group: [16] });
      await launch({ source, target, factor: 0 }, all, kernel);
      await launch({ source, target, factor: 0 }, { ...all, group: [16] }, kernel);
      await launch({ source, target }, { range: [1, LENGTH], group: [1, 16] }, kernel);
      for (const grid of [
        { ...all, group: [32] },
        { range: [1, LENGTH], group: [16, 1] },
      ]) {
        const launched = () => launch({ source, target }, grid, kernel);
        expect(await refused(launched, 'ERR_ARGUMENT')).toMatchObject({
          path: 'group',
          message: expect.stringContaining(
            "expected groups of [16], which the code of 'axpy' requires",
          ),
        });
      }
      const plane = defineKernel({ ...axpy, group: [2, 16] });
      const launched = () => launch({ source, target }, all, plane);
      expect((await refused(launched, 'ERR_ARGUMENT')).path).toBe('range');
      expect(await backend.toTypedArray(target)).toEqual(expected);
    });

    test('takes only arrays as aligned as the code asks', async ({ source, target }) => {
      const parameters = { ...axpy.parameters, source: { read: 'float32', align: 16 } } as const;
      const kernel = defineKernel({ ...axpy, parameters: parameters as never });
      await launch({ source, target }, all, kernel as never);
      const [from, to] = [source, target].map((one) => one.slice([[1, LENGTH]]));
      const values = { source: from, target: to, n: LENGTH - 1 };
      const launched = () => launch(values, all, kernel as never);
      expect(await refused(launched, 'ERR_NOT_ACCESSIBLE')).toMatchObject({
        path: 'source',
        message: expect.stringContaining('aligned to 16 bytes'),
      });
      expect(await backend.toTypedArray(target)).toEqual(expected);
    });

    test('takes another library’s array by its dict', async ({ source, target }) => {
      await launch({ source: exported(source).producer(), target });
      expect(await backend.toTypedArray(target)).toEqual(expected);
    });

    test('takes arrays whose home queue is disposed', async ({ first: queue }) => {
      using source = await backend.array(full(3), { queue });
      using target = await backend.array(full(0), { queue });
      queue[Symbol.dispose]();
      await launch({ source, target });
      expect(await backend.toTypedArray(target)).toEqual(full(6));
    });

    test('gives each of many launches its own values', async ({ work }) => {
      using source = await backend.array(full(1));
      using target = await backend.array(full(0));
      await launch({ source, target, factor: 0 });
      for (let factor = 0; factor < 20; factor++) work.push(launch({ source, target, factor }));
      expect((await backend.toTypedArray(target))[7]).toBe(190);
    });
  });

  describe.each(pendingOrEnded(backend))('order of launches, with the work %s', (_, settle) => {
    test('after copies, before copies, across queues', async ({ first, second, work }) => {
      using source = backend.empty([LENGTH], 'float32');
      using target = backend.empty([LENGTH], 'float32');
      await build();
      work.push(backend.fill(source, 3, { queue: first }));
      work.push(backend.fill(target, 1, { queue: second }));
      await settle();
      work.push(launch({ source, target }, { ...all, queue: first }));
      await settle();
      work.push(launch({ source, target }, { ...all, queue: second }));
      work.push(backend.fill(source, 0, { queue: first }));
      await settle();
      work.push(launch({ source, target }, { ...all, queue: first }));
      expect(await backend.toTypedArray(target)).toEqual(full(13));
    });

    test('after a producer’s work, and before its next work', async ({
      first,
      second,
      target,
      work,
    }) => {
      using source = backend.empty([LENGTH], 'float32', { queue: first });
      await build();
      work.push(backend.fill(source, 5, { queue: first }));
      await settle();
      using borrowed = backend.asArray(exported(source).producer());
      work.push(launch({ source: borrowed, target }, { ...all, queue: second }));
      work.push(backend.fill(source, 0, { queue: first }));
      first.synchronizeSync();
      expect(await backend.toTypedArray(target)).toEqual(full(11));
    });

    test('memory that is freed during a launch is not reused', async ({ source, target, work }) => {
      await build();
      work.push(launch({ source, target }));
      source[Symbol.dispose]();
      using next = backend.empty([LENGTH], 'float32');
      await backend.fill(next, 9);
      await settle();
      expect(await backend.toTypedArray(target)).toEqual(expected);
    });
  });

  describe('refusals of launches', () => {
    const cases: readonly (readonly [
      what: string,
      code: ErrorCode,
      path: string,
      change: (arrays: Arrays) => Record<string, unknown>,
    ])[] = [
      ['an argument that is missing', 'ERR_ARGUMENT', 'source', () => ({ source: undefined })],
      ['an argument that is unknown', 'ERR_ARGUMENT', 'scale', () => ({ scale: 1 })],
      ['a number for an array', 'ERR_ARGUMENT', 'target', () => ({ target: 3 })],
      ['an array for a number', 'ERR_TYPE', 'n', ({ source }) => ({ n: source })],
      ['a fraction', 'ERR_TYPE', 'n', () => ({ n: 1.5 })],
      ['a number that is too large', 'ERR_OVERFLOW', 'n', () => ({ n: 2 ** 32 })],
      ['a bigint for a float', 'ERR_TYPE', 'factor', () => ({ factor: 2n })],
      [
        'gaps where the code takes no strides',
        'ERR_ARGUMENT',
        'source',
        ({ source }) => ({ source: source.slice([[0, LENGTH, 2]]) }),
      ],
      [
        'a read-only array that is written',
        'ERR_READ_ONLY',
        'target',
        ({ target }) => ({ target: target.reshape([1, LENGTH]).broadcastTo([1, LENGTH]) }),
      ],
      [
        'another dtype',
        'ERR_ARGUMENT',
        'source',
        ({ source }) => ({ source: source.view('int32') }),
      ],
      [
        'elements that are not aligned',
        'ERR_NOT_ACCESSIBLE',
        'source',
        ({ source }) => ({ source: shifted(source, 'float32'), n: LENGTH - 1 }),
      ],
      [
        'elements that are not aligned, to be written',
        'ERR_NOT_ACCESSIBLE',
        'target',
        ({ target }) => ({ target: shifted(target, 'float32'), n: LENGTH - 1 }),
      ],
      ['one array twice', 'ERR_OVERLAP', 'target', ({ source }) => ({ target: source })],
      [
        'arrays that share some bytes',
        'ERR_OVERLAP',
        'target',
        ({ source }) => ({
          source: source.slice([[0, LENGTH - 1]]),
          target: source.slice([[1, LENGTH]]),
        }),
      ],
    ];

    test.for(cases)('%s', async ([_, code, path, change], { source, target }) => {
      const changed = { source, target, ...change({ source, target }) };
      const error = await refused(() => launch(changed), code);
      expect(error.path).toBe(path);
      expect(await backend.toTypedArray(target)).toEqual(full(1));
      expect(source.disposed).toBe(false);
    });

    test('unaligned elements, also of code that takes strides, unless there are none', async () => {
      using bytes = await backend.array(new Uint8Array(64));
      using source = await backend.array(new Int16Array(4), { shape: [2, 2] });
      const target = shifted(bytes, 'int16')
        .slice([[0, 4]])
        .reshape([2, 2])
        .flip();
      const given = { source, target, rows: 2, columns: 2 };
      const launch = (values: typeof given) => backend.launch(move, { range: [2, 2] }, values);
      const error = await refused(() => launch(given), 'ERR_NOT_ACCESSIBLE');
      expect([error.path, error.reason]).toEqual([
        'target',
        expect.stringMatching(
          /expected elements aligned to 2 bytes, got elements 1 bytes past a multiple of that; copy/,
        ),
      ]);
      const [none, empty] = [target, source].map((one) => one.slice([[0, 0]])) as [
        typeof target,
        typeof source,
      ];
      await launch({ source: empty, target: none, rows: 0, columns: 2 });
      expect(await backend.toTypedArray(bytes)).toEqual(new Uint8Array(64));
    });

    test('a launch that a getter of its arguments aborts', async ({ source, target }) => {
      const controller = new AbortController();
      const given = {
        ...{ source, target, factor: 2 },
        get n() {
          controller.abort('no more');
          return LENGTH;
        },
      };
      const launched = backend.launch(axpy, { ...all, signal: controller.signal }, given);
      await expect(launched).rejects.toBe('no more');
      expect(await backend.toTypedArray(target)).toEqual(full(1));
    });

    test('no arguments at all', async () => {
      const bare = () => backend.launch(axpy, all, undefined as never);
      expect((await refused(bare, 'ERR_ARGUMENT')).path).toBe('values');
    });

    test('arguments that share bytes are accepted if the kernel allows it', async ({ target }) => {
      const inPlace = defineKernel({ ...axpy, mayOverlap: true });
      await launch({ source: target, target }, all, inPlace);
      expect(await backend.toTypedArray(target)).toEqual(full(3));
    });

    test('interleaved arguments are accepted unless they share bytes', async () => {
      using block = await backend.array(new Int16Array(4 * 6), { shape: [4, 6] });
      const columns = (first: number) =>
        block.slice([
          [0, 4],
          [first, 6, 2],
        ]);
      await backend.fill(columns(0), 5);
      const given = { source: columns(0), target: columns(1), rows: 4, columns: 3 };
      await backend.launch(move, { range: [4, 3] }, given);
      expect(await backend.toTypedArray(block)).toEqual(new Int16Array(24).fill(5));
      const swapped = { ...given, target: columns(0).flip() };
      await refused(() => backend.launch(move, { range: [4, 3] }, swapped), 'ERR_OVERLAP');
    });

    test('a disposed array', async ({ source, target }) => {
      source[Symbol.dispose]();
      await refused(() => launch({ source, target }), 'ERR_DISPOSED');
    });

    test.for([
      ['range', { range: [] }],
      ['range', { range: [1, 2, 3, 4] }],
      ['range[0]', { range: [-1] }],
      ['range[0]', { range: [2 ** 32] }],
      ['group', { range: [4], group: [1, 1] }],
      ['group[0]', { range: [4], group: [0] }],
      ['queue', { range: [4], queue: new OtherQueue() }],
      ['items', { range: [4], items: 3 }],
    ] as const)('%s of a launch', async ([path, grid], { source, target }) => {
      const error = await refused(() => launch({ source, target }, grid), 'ERR_ARGUMENT');
      expect(error.path).toBe(path);
    });

    test('a kernel without code for the backend, naming the backends that it has code for', async ({
      source,
      target,
    }) => {
      const bare = defineKernel({ ...axpy, code: { other: {} } as never });
      const error = await refused(() => launch({ source, target }, all, bare), 'ERR_KERNEL');
      expect(error.path).toBe(`code.${backend.name}`);
      expect(error.message).toContain('code for other only');
    });
  });

  /** Builds the kernel, so that later launches are enqueued when their calls return. */
  async function build(): Promise<void> {
    using source = await backend.array(full(0));
    using target = await backend.array(full(0));
    await launch({ source, target, factor: 0 });
    await backend.whenKernelsReady();
  }
}
