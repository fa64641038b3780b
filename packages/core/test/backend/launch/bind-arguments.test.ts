import { describe, expect, test, vi } from 'vitest';
import { replace } from '../../../src/descriptor/descriptor.js';
import { dtype } from '../../../src/index.js';
import { defineKernel } from '../../../src/kernel/index.js';
import { sharesMemory } from '../../../src/overlap/shares-memory.js';
import { fakeLaunches as fake } from '../../support/fake-driver.js';
import { expectRefusal, rejection } from '../../support/refusal.js';

const code = { fake: {} } as never;

/** As C lays it out, and without a gap. */
const FIELDS = [
  ['id', 'u1'],
  ['', '|V3'],
  ['rgb', 'f4', [3]],
] as const;
const NATURAL = dtype(FIELDS);
const NESTED = dtype([
  ['one', FIELDS],
  ['two', '<u2'],
  ['', '|V2'],
]);
const PACKED = dtype([
  ['id', 'u1'],
  ['at', 'f8'],
]);

describe('layouts of arguments', () => {
  test('an array has as many axes as its parameter says strides, none for 0', async () => {
    for (const strides of [0, 1, 2, 3]) {
      const kernel = defineKernel({
        name: 'k',
        parameters: { x: { read: 'int8', strides } },
        code,
      });
      for (const axes of [0, 1, 2, 3]) {
        const { backend, launches } = fake();
        using x = backend.empty(Array(axes).fill(2), 'int8');
        const outcome = await backend.launch(kernel, { range: [1] }, { x }).then(
          () => 'launched',
          (error: { code: string }) => error.code,
        );
        const is = axes === strides;
        expect([strides, axes, outcome]).toEqual([
          ...[strides, axes, is ? 'launched' : 'ERR_ARGUMENT'],
        ]);
        expect(launches).toHaveLength(is ? 1 : 0);
      }
    }
  });

  test('arrays overlap if nobody can tell in time whether they overlap', async () => {
    const { backend, launches } = fake();
    const axes = 30;
    const kernel = defineKernel({
      name: 'k',
      parameters: { x: { read: 'int8', strides: axes }, y: { write: 'int8' } },
      code,
    });
    using array = backend.empty([1], 'int8');
    const { pointer, descriptor, memory } = array;
    Object.assign(memory, { allocation: { pointer, byteLength: 2 ** 50 } });
    // subsets of large numbers: among 2^30 sums, hardly one is any given number
    const byteStrides = Array.from(
      { length: axes },
      (_, i) => 2 ** 40 + ((i * 7_368_787) % 1_000_003) ** 2,
    );
    const x = replace(descriptor, { shape: Array(axes).fill(2), byteStrides });
    const y = replace(descriptor, { pointer: pointer + 15n * 2n ** 40n });
    expectRefusal(() => sharesMemory(x, y), 'ERR_TOO_HARD', 'maxWork');
    const launched = backend.launch(kernel, { range: [1] }, { x, y });
    expect(await rejection(launched)).toMatchObject({ code: 'ERR_OVERLAP', path: 'y' });
    expect(launches).toEqual([]);
  });
});

describe('alignment of arguments', () => {
  test.each([
    ['int16', 2, 'int16'],
    ['float64', 8, 'float64'],
    ['complex64', 4, 'complex64'],
    ['complex128', 8, 'complex128'],
    ['big-endian', 4, '>f4'],
    ['dates', 8, '<M8[ns]'],
    ['text', 4, '<U3'],
    ['bfloat16', 2, 'bfloat16'],
    ['complex32', 2, 'complex32'],
    ['records as in C', 4, NATURAL],
    ['nested records as in C', 4, NESTED],
  ] as const)('%s: elements are aligned to %i bytes', async (_, alignment, type) => {
    const { backend, driver, launches } = fake();
    const kernel = defineKernel({ name: 'k', parameters: { x: { read: type as 'int16' } }, code });
    using bytes = backend.empty([256], 'uint8');
    const { itemsize } = dtype(type as 'int16');
    const at = (offset: number) =>
      bytes.slice([[offset, offset + 2 * itemsize]]).view(type as 'int16');
    for (let offset = 0; offset < 2 * alignment; offset++) {
      const launched = backend.launch(kernel, { range: [1] }, { x: at(offset) });
      if (offset % alignment === 0) await launched;
      else {
        expect(await rejection(launched)).toMatchObject({
          ...{ code: 'ERR_NOT_ACCESSIBLE', path: 'x' },
          reason: `expected elements aligned to ${alignment} bytes, got elements ${offset % alignment} bytes past a multiple of that; copy it with array()`,
        });
      }
    }
    expect(launches).toHaveLength(2);
    bytes[Symbol.dispose]();
    expect(driver.live.size).toBe(0);
  });

  test.each([
    ['uint8', 'uint8'],
    ['bool', 'bool'],
    ['byte strings', '|S3'],
    ['opaque bytes', '|V3'],
    ['packed records', PACKED],
  ] as const)('%s: elements may be anywhere', async (_, type) => {
    const { backend, launches } = fake();
    const kernel = defineKernel({ name: 'k', parameters: { x: { read: type as 'int8' } }, code });
    using bytes = backend.empty([256], 'uint8');
    const { itemsize } = dtype(type as 'int8');
    const x = bytes.slice([[1, 1 + 2 * itemsize]]).view(type as 'int8');
    await backend.launch(kernel, { range: [1] }, { x });
    expect(launches).toHaveLength(1);
  });
});

test('records of any fields are aligned so that an array of them has its second element aligned', async () => {
  const fields = ['u1', 'i2', 'f4', 'f8', 'c8', '|V3', '<U1'];
  for (const one of fields) {
    for (const other of fields) {
      const { backend, launches } = fake();
      const record = dtype([
        ['one', one],
        ['other', other],
      ] as never);
      const kernel = defineKernel({
        name: 'k',
        parameters: { x: { read: record as never } },
        code,
      });
      using array = backend.empty([2], record);
      await backend.launch(kernel, { range: [1] }, { x: array.slice([[1, 2]]) } as never);
      expect(launches).toHaveLength(1);
    }
  }
});

describe('reading arguments', () => {
  const kernel = defineKernel({
    name: 'scale',
    parameters: { target: { write: 'float32' }, factor: 'float32', source: { read: 'float32' } },
    code,
  });

  test('each is read once, and all before any memory is held', async () => {
    const { backend, driver, launches } = fake();
    const target = backend.empty([4], 'float32');
    using source = backend.empty([4], 'float32');
    const factor = vi.fn(() => 2);
    const values = {
      target,
      get factor() {
        return factor();
      },
      get source() {
        target[Symbol.dispose]();
        return source;
      },
    };
    const error = await rejection(backend.launch(kernel, { range: [4] }, values));
    expect(error).toMatchObject({ code: 'ERR_DISPOSED' });
    expect(factor).toHaveBeenCalledTimes(1);
    expect(launches).toEqual([]);
    expect(driver.live.size).toBe(1);
  });

  test('a signal that a getter aborts stops the launch, and nothing is held', async () => {
    const { backend, driver } = fake();
    driver.builds = () => expect.unreachable();
    const controller = new AbortController();
    const target = backend.empty([4], 'float32');
    const source = backend.empty([4], 'float32');
    const values = {
      ...{ target, source },
      get factor() {
        controller.abort('enough');
        return 2;
      },
    };
    const launched = backend.launch(kernel, { range: [4], signal: controller.signal }, values);
    expect(await rejection(launched)).toBe('enough');
    target[Symbol.dispose]();
    source[Symbol.dispose]();
    expect(driver.live.size).toBe(0);
  });

  test('each is read once, whatever its getter returns the next time', async () => {
    const { backend, launches } = fake();
    using target = backend.empty([4], 'float32');
    using source = backend.empty([4], 'float32');
    const all = { target: [target], factor: [2, 3, 4], source: [source] };
    const values = Object.defineProperties(
      {},
      Object.fromEntries(
        Object.entries(all).map(([name, given]) => {
          const get = () => given.shift() ?? expect.unreachable(`${name} was read again`);
          return [name, { enumerable: true, get }];
        }),
      ),
    );
    await backend.launch(kernel, { range: [4] }, values as never);
    expect(new DataView(launches[0]?.values.buffer as ArrayBuffer).getFloat32(8, true)).toBe(2);
    expect(all.factor).toEqual([3, 4]);
  });

  test('launches that are pending at once have values of their own', async () => {
    const { backend, driver } = fake();
    using target = backend.empty([4], 'float32');
    using source = backend.empty([4], 'float32');
    const pending: { values: Uint8Array; end(): void }[] = [];
    driver.launches = (_queue, _built, { values }) =>
      new Promise<void>((end) => {
        pending.push({ values, end });
      });
    const launch = (factor: number) =>
      backend.launch(kernel, { range: [4] }, { target, factor, source });
    const factors = () =>
      pending.map(({ values }) => new DataView(values.buffer).getFloat32(8, true));
    const first = launch(1);
    pending.pop()?.end();
    await first;
    const rest = [launch(2), launch(3), launch(4)];
    expect(factors()).toEqual([2, 3, 4]);
    for (const { end } of pending) end();
    await Promise.all(rest);
  });

  test.each([undefined, null, 5])('%s is not an object of arguments', async (values) => {
    const { backend } = fake();
    const error = await rejection(backend.launch(kernel, { range: [4] }, values as never));
    expect(error).toMatchObject({ code: 'ERR_ARGUMENT', path: 'values' });
    expect((error as Error).message).toContain('arguments by name');
  });
});
