import type { MemoryHandle } from '@array-interface/core/backend';
import { type CudaArray, cuda } from '@array-interface/cuda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { addon } from '../../src/addon.js';
import { hold } from '../support/hold.js';
import { probe } from '../support/probe.js';
import { foreignProducer } from '../support/producer.js';
import { refused } from '../support/refused.js';

const nativeOf = ({ memory }: CudaArray) =>
  (memory as unknown as { readonly native: MemoryHandle }).native;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

afterEach(() => {
  vi.restoreAllMocks();
});

describe('what is mapped in place', () => {
  test('registered memory, at the address of the buffer that was registered', async () => {
    const source = new Uint8Array(new SharedArrayBuffer(4096)).fill(1);
    const array = cuda.register(source);
    await cuda.fill(array.slice([[0, 8]]), 7);
    const seen = await array.asTypedArray();
    expect([seen[0], seen[8], seen.length]).toEqual([7, 1, 4096]);
    seen[9] = 5;
    expect(source[9]).toBe(5);
    array[Symbol.dispose]();
    expect([seen.length, source.length]).toEqual([0, 4096]);
  });

  test("another library's pinned memory, as long as the loan", async () => {
    probe.makeCurrent(0);
    const pointer = probe.allocateHost(64);
    const data = [pointer, false] as const;
    const dict = { shape: [16], typestr: '<u4', data, strides: null, version: 3, stream: null };
    const array = cuda.asArray({ __cuda_array_interface__: dict } as never);
    await cuda.fill(array, 3);
    const seen = await array.asTypedArray();
    expect(seen).toEqual(new Uint32Array(16).fill(3));
    array[Symbol.dispose]();
    expect(seen).toHaveLength(0);
    await cuda.synchronize();
    probe.makeCurrent(0);
    probe.freeHost(pointer);
  });

  test('not managed memory that the device may use exclusively while it works', async () => {
    vi.spyOn(addon(), 'sharesManaged').mockReturnValue(false);
    using array = cuda.empty([4], 'float32', { memoryKind: 'shared' });
    const { message } = await refused(() => array.asTypedArray(), 'ERR_NOT_ACCESSIBLE');
    expect(message).toContain('shared memory of the cuda backend');
  });

  test('nothing that the addon cannot verify', async () => {
    using device = cuda.empty([64], 'uint8');
    using pinned = cuda.empty([64], 'uint8', { memoryKind: 'host' });
    const loan = cuda.asArray(foreignProducer(pinned, null));
    const mapBuffer = (array: typeof device, offset: bigint, size: number) => () =>
      addon().mapBuffer(nativeOf(array), array.pointer + offset, size);
    for (const call of [
      mapBuffer(device, 0n, 1),
      mapBuffer(pinned, 1n, 64),
      mapBuffer(pinned, -1n, 1),
      mapBuffer(loan, 63n, 2),
    ]) {
      await refused(call, 'ERR_NOT_ACCESSIBLE');
    }
    loan[Symbol.dispose]();
    await refused(mapBuffer(loan, 0n, 1), 'ERR_DISPOSED');

    probe.makeCurrent(0);
    const pointer = probe.allocate(64);
    const data = [pointer, false] as const;
    const dict = { shape: [64], typestr: '|u1', data, strides: null, version: 3, stream: null };
    using theirs = cuda.asArray({ __cuda_array_interface__: dict } as never);
    await refused(mapBuffer(theirs, 0n, 64), 'ERR_NOT_ACCESSIBLE');
    await refused(() => theirs.asTypedArray(), 'ERR_NOT_ACCESSIBLE');
    probe.free(pointer);
  });

  test('not a masked array', async () => {
    using array = cuda.empty([4], 'uint8', { memoryKind: 'host' });
    using flags = cuda.empty([4], 'bool', { memoryKind: 'host' });
    const mask = foreignProducer(flags, null);
    using masked = cuda.asArray(foreignProducer(array, null, { mask }));
    await refused(() => masked.asTypedArray(), 'ERR_MASK');
  });
});

describe.each(['pending', 'ended'])('with the work %s', (state) => {
  /** Leaves what the stream gets from now on pending, or lets it end. */
  const begin = (stream: { device: number; handle: bigint }) =>
    state === 'pending' ? hold(stream) : { [Symbol.dispose]() {} };
  const reached = () => (state === 'ended' ? cuda.synchronize() : Promise.resolve());

  test('all known work is waited for, without a thread', async () => {
    using stream = cuda.createStream();
    using array = cuda.empty([4096], 'uint8', { memoryKind: 'host' });
    const held = begin(stream);
    const filled = cuda.fill(array, 8, { queue: stream });
    await reached();
    const asked = array.asTypedArray();
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    while (turns < 3) await pause(1);
    held[Symbol.dispose]();
    expect(await asked).toEqual(new Uint8Array(4096).fill(8));
    clearInterval(counting);
    await filled;
  });

  test("a producer's work on its stream, and a consumer's on the stream that the dict named", async () => {
    probe.makeCurrent(0);
    const pointer = probe.allocateHost(4096);
    const theirs = probe.createStream();
    const held = begin({ device: 0, handle: theirs });
    probe.makeCurrent(0);
    probe.memset(theirs, pointer, 4, 4096);
    if (state === 'ended') probe.synchronizeStream(theirs);
    const data = [pointer, false] as const;
    const dict = { shape: [4096], typestr: '|u1', data, strides: null, version: 3, stream: theirs };
    const array = cuda.asArray({ __cuda_array_interface__: dict } as never);
    const asked = array.asTypedArray();
    await pause(5);
    held[Symbol.dispose]();
    expect(await asked).toEqual(new Uint8Array(4096).fill(4));
    array[Symbol.dispose]();

    using ours = cuda.empty([4096], 'uint8', { memoryKind: 'host' });
    const named = BigInt(ours.__cuda_array_interface__.stream as number | bigint);
    const ready = begin({ device: 0, handle: named });
    probe.makeCurrent(0);
    probe.memset(named, ours.pointer, 6, 4096);
    await reached();
    const again = ours.asTypedArray();
    await pause(5);
    ready[Symbol.dispose]();
    expect(await again).toEqual(new Uint8Array(4096).fill(6));
    await cuda.synchronize();
    probe.makeCurrent(0);
    probe.synchronizeStream(theirs);
    probe.destroyStream(theirs);
    probe.freeHost(pointer);
  });
});

test('while a stream with work on the array is captured, nothing can be waited for', async () => {
  using stream = cuda.createStream();
  using array = cuda.empty([64], 'uint8', { memoryKind: 'host', queue: stream });
  await cuda.fill(array, 1);
  await array.synchronize();
  probe.makeCurrent(0);
  probe.beginCapture(stream.handle, 2);
  await refused(() => array.asTypedArray(), 'ERR_CAPTURE');
  probe.makeCurrent(0);
  probe.endCapture(stream.handle);
  expect(await array.asTypedArray()).toEqual(new Uint8Array(64).fill(1));
});
