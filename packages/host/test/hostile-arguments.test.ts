import type { ErrorCode } from '@array-interface/core';
import { defineKernel } from '@array-interface/core/kernel';
import { host } from '@array-interface/host';
import { describe, expect, test, vi } from 'vitest';
import { addon } from '../src/addon.js';
import { refused } from './support/refused.js';

const javascript = vi.fn();
const kernel = defineKernel({
  name: 'takes',
  parameters: { first: { write: 'float32' }, second: { read: 'float32' }, count: 'uint32' },
  code: { host: { javascript } },
});

/** `resize` is newer than the compiler's library. */
type ResizableBuffer = ArrayBuffer & { resize(byteLength: number): void };
const ResizableBuffer = ArrayBuffer as unknown as new (
  byteLength: number,
  options: { maxByteLength: number },
) => ResizableBuffer;

/** What takes memory away from a buffer, and how a launch is refused that had it in hand. */
const TAKE: readonly (readonly [string, ErrorCode, (buffer: ResizableBuffer) => void])[] = [
  ['detaches', 'ERR_DISPOSED', (buffer) => void structuredClone(buffer, { transfer: [buffer] })],
  ['shrinks', 'ERR_OUT_OF_BOUNDS', (buffer) => buffer.resize(4)],
];

describe.each(TAKE)('an argument that %s an earlier one', (what, code, takeAway) => {
  const make = () => {
    const buffer = new ResizableBuffer(8, { maxByteLength: 16 });
    return { buffer, first: new Float32Array(buffer) }; // as long as the buffer is
  };

  test('by a getter of its own', async () => {
    javascript.mockClear();
    const { buffer, first } = make();
    const given = {
      first,
      second: new Float32Array(2),
      get count(): number {
        takeAway(buffer);
        return 1;
      },
    };
    const launched = host.launch(kernel, { range: [2] }, given);
    if (what === 'detaches') await refused(() => launched, code);
    else await launched; // with what is left
    const seen = javascript.mock.calls.map(([values]) => values.first.length);
    expect(seen).toEqual(what === 'detaches' ? [] : [1]);
  });

  test('by a getter of its dict', async () => {
    javascript.mockClear();
    const { buffer, first } = make();
    using other = host.empty([2], 'float32');
    const second = {
      get __array_interface__() {
        takeAway(buffer);
        return other.__array_interface__;
      },
    };
    const given = { first, second, count: 1 };
    await refused(() => host.launch(kernel, { range: [2] }, given), code);
    expect(javascript).not.toHaveBeenCalled();
  });
});

test('a signal that detaches the memory when asked whether it is aborted', async () => {
  javascript.mockClear();
  const first = new Float32Array(2);
  let asked = 0;
  const signal = {
    get aborted() {
      if (++asked === 3) structuredClone(first, { transfer: [first.buffer] });
      return false;
    },
    addEventListener() {},
    removeEventListener() {},
  };
  const values = { first, second: new Float32Array(2), count: 1 };
  const launch = () => host.launch(kernel, { range: [2], signal: signal as never }, values);
  await refused(launch, 'ERR_DISPOSED');
  expect(javascript).not.toHaveBeenCalled();
});

test('aligned elements that no typed array over their buffer can have', async () => {
  using block = host.empty([64], 'uint8');
  const made = addon().mapBuffer(block.pointer + 1n, 32, null, true) as {
    buffer: ArrayBuffer;
    mapped: never;
  };
  const first = new Float32Array(2);
  using bytes = host.asArray(new Uint8Array(made.buffer));
  const second = bytes.slice([[3, 11]]).view('float32'); // 4 bytes into the block
  const launch = () => host.launch(kernel, { range: [2] }, { first, second, count: 1 });
  const error = await refused(launch, 'ERR_NOT_ACCESSIBLE');
  expect([error.path, error.message]).toEqual([
    'second',
    expect.stringContaining('multiples of 4 bytes'),
  ]);
  addon().unmapBuffer(made.mapped, made.buffer, null);
});

test.each(['read', 'local'])(
  '{ %s } of a dtype without a typed array is refused with the parameter’s name',
  async (kind) => {
    const odd = defineKernel({
      name: 'odd',
      parameters: { odd: { [kind]: 'bfloat16' } as { read: 'int16' } },
      code: { host: { javascript } },
    });
    using array = host.empty([2], 'bfloat16');
    using queue = host.createQueue();
    const given = { odd: kind === 'read' ? array : 2 } as never;
    const error = await refused(
      () => host.launch(odd, { range: [1], group: [1], queue }, given),
      'ERR_DTYPE_UNSUPPORTED',
    );
    expect([error.path, error.message]).toEqual([
      'odd',
      expect.stringContaining("toTypedArray(array, { dtype: 'float32' })"),
    ]);
    const inPlace = await refused(() => array.asTypedArray(), 'ERR_DTYPE_UNSUPPORTED');
    expect(inPlace.message).toContain("toTypedArray(array, { dtype: 'float32' })");
  },
);
