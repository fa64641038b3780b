import { describe, expect, test, vi } from 'vitest';
import { dtype } from '../../src/index.js';
import { defineKernel } from '../../src/kernel/index.js';
import { rejection } from '../refusal.js';
import { fakeLaunches as fake } from './fake-driver.js';

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
  ] as const)('%s: elements lie at multiples of %i bytes', async (_, alignment, type) => {
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
          message: `expected elements at multiples of ${alignment} bytes, got some ${offset % alignment} behind one; copy it with array()`,
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
  ] as const)('%s: elements lie anywhere', async (_, type) => {
    const { backend, launches } = fake();
    const kernel = defineKernel({ name: 'k', parameters: { x: { read: type as 'int8' } }, code });
    using bytes = backend.empty([256], 'uint8');
    const { itemsize } = dtype(type as 'int8');
    const x = bytes.slice([[1, 1 + 2 * itemsize]]).view(type as 'int8');
    await backend.launch(kernel, { range: [1] }, { x });
    expect(launches).toHaveLength(1);
  });
});

describe('reading arguments', () => {
  const kernel = defineKernel({
    name: 'scale',
    parameters: { target: { write: 'float32' }, factor: 'float32', source: { read: 'float32' } },
    code,
  });

  test('each is read once, and all before any of them is held', async () => {
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

  test.each([undefined, null, 5])('%s is no object of arguments', async (values) => {
    const { backend } = fake();
    const error = await rejection(backend.launch(kernel, { range: [4] }, values as never));
    expect(error).toMatchObject({ code: 'ERR_ARGUMENT', path: 'values' });
    expect((error as Error).message).toContain('arguments by name');
  });
});
