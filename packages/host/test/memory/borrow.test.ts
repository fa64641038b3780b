import { makeDescriptor } from '@array-interface/core';
import { host, liveAllocations } from '@array-interface/host';
import { expect, test } from 'vitest';
import { mappings } from '../support/mappings.js';
import { refused } from '../support/refused.js';

function bytesAt(pointer: bigint, length: number, readOnly = false) {
  const data = [pointer, readOnly];
  return { __array_interface__: { version: 3, typestr: '|u1', shape: [length], data } };
}

test('addresses where nothing is mapped', async () => {
  for (const pointer of [1n, 0x1000n, 2n ** 47n + 8n, 2n ** 63n, 2n ** 64n - 64n]) {
    await refused(() => host.asArray(bytesAt(pointer, 16)), 'ERR_POINTER_UNKNOWN');
    await refused(() => host.fill(bytesAt(pointer, 16), 1), 'ERR_POINTER_UNKNOWN');
    expect(host.inspectPointer(pointer)).toEqual({
      memoryKind: 'unknown',
      device: null,
      allocation: null,
      hostAccessible: false,
    });
  }
});

test('pages that cannot be read', async () => {
  const [guard] = mappings(/^---p/);
  expect(guard).toBeDefined();
  if (guard === undefined) return;
  await refused(() => host.asArray(bytesAt(guard.low, 16)), 'ERR_NOT_ACCESSIBLE');
  await refused(() => host.toTypedArray(bytesAt(guard.low, 16)), 'ERR_NOT_ACCESSIBLE');
  expect(host.inspectPointer(guard.low)).toMatchObject({ memoryKind: 'unknown' });
});

test('a read-only mapping is read, and never written', async () => {
  const [code] = mappings(/^r--p/);
  expect(code).toBeDefined();
  if (code === undefined) return;
  using array = host.asArray(bytesAt(code.low, 4));
  expect(Buffer.from((await host.toTypedArray(array)).buffer as ArrayBuffer)).toEqual(
    Buffer.from('\x7fELF', 'latin1'),
  );
  await refused(() => host.fill(array, 1), 'ERR_NOT_ACCESSIBLE');
  await refused(() => host.fill(bytesAt(code.low, 4), 1), 'ERR_NOT_ACCESSIBLE');
  await refused(() => host.copy(bytesAt(code.low, 4, true), array), 'ERR_READ_ONLY');
});

test('a layout that runs off the end of its mapping', async () => {
  const [first] = mappings(/^r..p/).filter(
    ({ high }) => !mappings(/./).some(({ low }) => low === high),
  );
  expect(first).toBeDefined();
  if (first === undefined) return;
  await refused(() => host.asArray(bytesAt(first.high - 4n, 64)), 'ERR_OUT_OF_BOUNDS');
  using inside = host.asArray(bytesAt(first.high - 4n, 4), { readOnly: true });
  expect((await host.toTypedArray(inside)).length).toBe(4);
});

test('an array over our own memory keeps it, although the first array is disposed', async () => {
  const before = liveAllocations();
  const array = await host.array(Uint8Array.of(1, 2, 3));
  const borrowed = host.asArray({ __array_interface__: array.__array_interface__ });
  array[Symbol.dispose]();
  expect(liveAllocations()).toBe(before + 1);
  expect(await host.toTypedArray(borrowed)).toEqual(Uint8Array.of(1, 2, 3));
  borrowed[Symbol.dispose]();
  expect(liveAllocations()).toBe(before);
});

test.each([1, 100, 1 << 20, 1 << 26])(
  'freed memory of %i bytes is not taken for live memory',
  async (size) => {
    const array = host.empty([size], 'uint8');
    const dict = array.__array_interface__;
    array[Symbol.dispose]();
    const [pointer] = dict.data as readonly [bigint, boolean];
    const claim = { ...dict, data: [pointer, false] };
    await refused(() => host.asArray({ __array_interface__: dict }), 'ERR_DISPOSED');
    await refused(() => host.asArray({ __array_interface__: claim }), 'ERR_POINTER_UNKNOWN');
    const trusting = { bounds: 'trust' } as const;
    await refused(
      () => host.asArray({ __array_interface__: claim }, trusting),
      'ERR_POINTER_UNKNOWN',
    );
    expect(host.inspectPointer(pointer)).toMatchObject({ hostAccessible: false, allocation: null });
  },
);

test('memory between arrays belongs to nobody', async () => {
  using array = host.empty([65], 'uint8');
  const { data, ...dict } = array.__array_interface__;
  const [pointer] = data as readonly [bigint, boolean];
  const claim = { ...dict, shape: [1], data: [pointer + 65n, false] };
  await refused(() => host.asArray({ __array_interface__: claim }), 'ERR_POINTER_UNKNOWN');
});

test('the address of a closed shared file stays free', async () => {
  const array = host.empty([1 << 16], 'uint8', { shareable: true });
  const { data, ...dict } = array.__array_interface__;
  array[Symbol.dispose]();
  const [pointer] = data as readonly [bigint, boolean];
  const others = Array.from({ length: 64 }, () => new Uint8Array(1 << 20).fill(1)); // the engine's
  const claim = { ...dict, data: [pointer, false] };
  await refused(() => host.asArray({ __array_interface__: claim }), 'ERR_POINTER_UNKNOWN');
  expect(others).toHaveLength(64);
});

test('the mask is checked with its array', async () => {
  using array = host.empty([4], 'uint8');
  const mask = bytesAt(0x1000n, 4);
  const masked = { __array_interface__: { ...array.__array_interface__, mask } };
  await refused(() => host.asArray(masked), 'ERR_POINTER_UNKNOWN');
});

test('a device array is left to its own backend', async () => {
  using array = host.empty([4], 'uint8');
  const { data } = array.__array_interface__;
  const cuda = { version: 3, typestr: '|u1', shape: [4], data, stream: 1 };
  const sycl = { version: 1, typestr: '|u1', shape: [4], data, syclobj: 'opencl:cpu' };
  for (const producer of [
    { __cuda_array_interface__: cuda },
    { __sycl_usm_array_interface__: sycl },
  ]) {
    await refused(() => host.toTypedArray(producer), 'ERR_NOT_ACCESSIBLE');
    await refused(() => host.asArray(producer), 'ERR_NO_INTERFACE');
  }
});

test('memory of a device is accepted if its work was waited for and this process reaches it', async () => {
  using array = await host.array(Uint8Array.of(4, 5, 6));
  const { pointer, dtype } = array;
  const pending = makeDescriptor({ pointer, shape: [3], dtype, stream: 1n });
  const { message } = await refused(() => host.asArray(pending), 'ERR_NOT_ACCESSIBLE');
  expect(message).toContain("pass { sync: 'none' }");
  using taken = host.asArray(pending, { sync: 'none' });
  expect(await host.toTypedArray(taken)).toEqual(Uint8Array.of(4, 5, 6));
  const wild = makeDescriptor({ pointer: 0x1000n, shape: [3], dtype, stream: 1n });
  await refused(() => host.asArray(wild, { sync: 'none' }), 'ERR_POINTER_UNKNOWN');
});

test("bounds: 'trust' believes the producer", async () => {
  using array = await host.array(Uint8Array.of(4, 5, 6));
  const { pointer } = array;
  using trusted = host.asArray(bytesAt(pointer, 2), { bounds: 'trust' });
  expect(trusted.memory.allocation).toBeNull();
  expect(await host.toTypedArray(trusted)).toEqual(Uint8Array.of(4, 5));
});
