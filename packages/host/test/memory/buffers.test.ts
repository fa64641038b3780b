import { fromProducer } from '@array-interface/core';
import { host } from '@array-interface/host';
import { expect, test } from 'vitest';
import { refused } from '../support/refused.js';

/** ArrayBuffer's `transfer` and `resize`, newer than the compiler's library. */
interface Resizable extends ArrayBuffer {
  resize(byteLength: number): void;
}

const ResizableBuffer = ArrayBuffer as unknown as new (
  byteLength: number,
  options: { maxByteLength: number },
) => Resizable;

interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): void;
}

const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { Memory: new (limits: { initial: number; maximum: number }) => WasmMemory };
};

function detach(buffer: ArrayBuffer): void {
  structuredClone(buffer, { transfer: [buffer] });
}

test('borrows typed arrays without a copy, at their address', async () => {
  const source = Float64Array.of(1, 2, 3, 4);
  using array = host.asArray(source.subarray(1));
  const [pointer, readOnly] = array.__array_interface__.data as readonly [bigint, boolean];
  expect(readOnly).toBe(false);
  expect(pointer).toBe(array.pointer);
  expect(host.inspectPointer(pointer)).toMatchObject({
    memoryKind: 'pageable',
    hostAccessible: true,
  });
  source[3] = 9;
  expect(await host.toTypedArray(array)).toEqual(Float64Array.of(2, 3, 9));
  using again = host.asArray({ __array_interface__: array.__array_interface__ });
  await host.fill(again, -1);
  expect(source).toEqual(Float64Array.of(1, -1, -1, -1));
});

test('borrows parts of shared buffers, DataViews and dicts that carry a buffer', async () => {
  const shared = new SharedArrayBuffer(32);
  using array = host.asArray(new Int32Array(shared, 8, 2));
  await host.fill(array, 7);
  using view = host.asArray(new DataView(shared, 4, 8));
  expect([...(await host.toTypedArray(view))]).toEqual([0, 0, 0, 0, 7, 0, 0, 0]);
  const dict = { version: 3, typestr: '<i4', shape: [2], strides: [-4], data: shared, offset: 12 };
  using turned = host.asArray({ __array_interface__: dict });
  expect([...(await host.toTypedArray(turned))]).toEqual([7, 7]);
});

test('refuses every use of a buffer that was detached after it was borrowed', async () => {
  const source = new Uint8Array(64);
  using array = host.asArray(source);
  const view = array.slice([[0, 8]]);
  const dict = array.__array_interface__;
  const { descriptor } = array;
  detach(source.buffer);
  await refused(() => host.toTypedArray(view), 'ERR_DISPOSED');
  await refused(() => host.fill(array, 1), 'ERR_DISPOSED');
  await refused(() => host.copy(descriptor, new Uint8Array(64)), 'ERR_DISPOSED');
  await refused(() => host.copy(new Uint8Array(64), descriptor), 'ERR_DISPOSED');
  await refused(() => array.__array_interface__, 'ERR_DISPOSED');
  await refused(() => host.asArray(array), 'ERR_DISPOSED');
  expect(dict.shape).toEqual([64]);
});

test('refuses what a shrunk buffer no longer has, and accepts it again when it grows', async () => {
  const buffer = new ResizableBuffer(8192, { maxByteLength: 16384 });
  using array = host.asArray(buffer);
  const start = array.slice([[0, 16]]);
  await host.fill(array, 5);
  buffer.resize(16);
  await refused(() => host.toTypedArray(array), 'ERR_OUT_OF_BOUNDS');
  await refused(() => host.fill(array, 1), 'ERR_OUT_OF_BOUNDS');
  await refused(() => array.__array_interface__, 'ERR_OUT_OF_BOUNDS');
  expect(await host.toTypedArray(start)).toEqual(new Uint8Array(16).fill(5));
  buffer.resize(0);
  await refused(() => host.fill(start, 1), 'ERR_OUT_OF_BOUNDS');
  buffer.resize(8192);
  expect(await host.toTypedArray(array)).toEqual(new Uint8Array(8192));
});

test('refuses a descriptor whose buffer was detached before its first use', async () => {
  const source = new Uint8Array(64);
  const described = fromProducer(source);
  detach(source.buffer);
  await refused(() => host.asArray(described), 'ERR_DISPOSED');
  await refused(() => host.toTypedArray(described), 'ERR_DISPOSED');
  await refused(() => host.fill(described, 1), 'ERR_DISPOSED');
});

test('borrows the memory of a WebAssembly instance, until it grows', async () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 4 });
  using array = host.asArray(memory.buffer);
  await host.fill(array, 3);
  expect(new Uint8Array(memory.buffer)[65535]).toBe(3);
  memory.grow(1);
  await refused(() => host.fill(array, 1), 'ERR_DISPOSED');
});

test('a loan of JavaScript memory outlives its lender, until the memory is detached', async () => {
  const source = Uint8Array.of(1, 2, 3);
  const array = host.asArray(source);
  using loan = host.asArray(array);
  expect(loan.pointer).toBe(array.pointer);
  array[Symbol.dispose]();
  await host.fill(loan, 7);
  expect(source).toEqual(Uint8Array.of(7, 7, 7));
  detach(source.buffer);
  await refused(() => host.fill(loan, 1), 'ERR_DISPOSED');
});
