import { cpus } from 'node:os';
import { host, liveAllocations } from '@array-interface/host';
import { expect, test } from 'vitest';
import { refused } from './support/refused.js';

test('is always available, with one device', () => {
  expect(host.availability).toMatchObject({ available: true, library: 'built in' });
  expect(host.devices()).toMatchObject([{ index: 0, type: 'cpu', name: cpus()[0]?.model }]);
});

test('allocates at addresses that are multiples of 64', () => {
  for (const length of [1, 63, 64, 65, 1000]) {
    using array = host.empty([length], 'uint8');
    expect(array.pointer % 64n).toBe(0n);
  }
});

test('is synchronous: nothing has to be waited for', () => {
  const target = new Uint8Array(4);
  void host.copy(target, Uint8Array.of(1, 2, 3, 4));
  expect(target).toEqual(Uint8Array.of(1, 2, 3, 4));
});

test('has one kind of memory', async () => {
  await refused(() => host.empty([1], 'uint8', { memoryKind: 'device' }), 'ERR_ARGUMENT');
});

test('finds an allocation from any of its addresses', () => {
  using array = host.empty([100], 'uint8');
  const allocation = { pointer: array.pointer, byteLength: 100 };
  for (const pointer of [array.pointer, array.pointer + 99n]) {
    expect(host.inspectPointer(pointer).allocation).toEqual(allocation);
  }
  expect(host.inspectPointer(array.pointer + 100n).allocation).toBeNull();
});

test('frees memory at once if its owner is disposed and no loan needs it', () => {
  const before = liveAllocations();
  const array = host.empty([4], 'float32');
  const view = array.flip();
  const loan = host.asArray(view);
  array[Symbol.dispose]();
  expect(liveAllocations()).toBe(before + 1);
  loan[Symbol.dispose]();
  expect(liveAllocations()).toBe(before);
  expect(view.disposed).toBe(true);
});

test('has no kernels to build, and one device without limits', async () => {
  await host.whenKernelsReady();
  expect(host.devices()[0]?.limitation).toBeNull();
});
