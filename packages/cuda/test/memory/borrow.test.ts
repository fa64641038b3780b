import { cuda, liveAllocations } from '@array-interface/cuda';
import { describe, expect, test, vi } from 'vitest';
import { foreignProducer } from '../support/producer.js';
import { refused } from '../support/refused.js';

describe('borrowing', () => {
  test('an address that the driver does not know, before anything is touched', async () => {
    using array = await cuda.array(new Uint8Array(16).fill(3));
    for (const pointer of [0x1000n, 2n ** 63n]) {
      const wild = foreignProducer(array, null, { data: [pointer, false] });
      const error = await refused(() => cuda.asArray(wild), 'ERR_POINTER_UNKNOWN');
      expect(error.path).toBe('data[0]');
      expect(error.message).toContain(`0x${pointer.toString(16)}`);
      await refused(() => cuda.copy(array, wild), 'ERR_POINTER_UNKNOWN');
      await refused(() => cuda.copy(wild, array), 'ERR_POINTER_UNKNOWN');
    }
    expect(await cuda.toTypedArray(array)).toEqual(new Uint8Array(16).fill(3));
  });

  test('freed memory', async () => {
    const array = cuda.empty([1 << 20], 'uint8');
    const producer = foreignProducer(array, null);
    const { pointer } = array;
    array[Symbol.dispose]();
    // Kept for the next array, or with the driver: neither is there for anybody else.
    const error = await refused(() => cuda.asArray(producer), 'ERR_POINTER_UNKNOWN');
    expect(error.message).toContain('owner was disposed');
    await vi.waitFor(async () => {
      await cuda.releaseCached();
      expect(cuda.inspectPointer(pointer).memoryKind).toBe('unknown');
    }, 100_000);
    await refused(() => cuda.asArray(producer), 'ERR_POINTER_UNKNOWN');
  });

  test('elements outside of the allocation, at both ends', async () => {
    using array = cuda.empty([1024], 'uint8');
    const { pointer, allocation } = array.memory;
    const byteLength = allocation?.byteLength ?? 0;
    const outside = [
      { shape: [byteLength + 1] },
      { shape: [2], strides: [-1] },
      { data: [pointer + 1n, false], shape: [byteLength] },
      { shape: [2, 2], strides: [byteLength, 1] },
    ];
    for (const changes of outside) {
      const producer = foreignProducer(array, null, changes);
      const error = await refused(() => cuda.asArray(producer), 'ERR_OUT_OF_BOUNDS');
      expect(error.path).toBe('data[0]');
      using trusted = cuda.asArray(producer, { bounds: 'trust' });
      expect(trusted.shape).toEqual(producer.__cuda_array_interface__.shape);
    }
    using whole = cuda.asArray(foreignProducer(array, null, { shape: [byteLength] }));
    using last = cuda.asArray(
      foreignProducer(array, null, {
        data: [pointer + BigInt(byteLength) - 1n, false],
        shape: [byteLength],
        strides: [-1],
      }),
    );
    expect(whole.pointer).toBe(pointer);
    expect(last.shape).toEqual([byteLength]);
  });

  test('a mask outside of its allocation', async () => {
    using array = cuda.empty([64], 'uint8');
    const good = foreignProducer(array, null);
    using masked = cuda.asArray(foreignProducer(array, null, { mask: good }));
    expect(masked.descriptor.mask?.shape).toEqual([64]);
    const wild = foreignProducer(array, null, { data: [0x1000n, false] });
    const error = await refused(
      () => cuda.asArray(foreignProducer(array, null, { mask: wild })),
      'ERR_POINTER_UNKNOWN',
    );
    expect(error.path).toBe('mask.data[0]');
    const long = { ...good.__cuda_array_interface__, shape: [1 << 20] };
    const tooLong = foreignProducer(array, null, {
      shape: [1 << 20],
      strides: [0],
      mask: { __cuda_array_interface__: long },
    });
    const beyond = await refused(() => cuda.asArray(tooLong), 'ERR_OUT_OF_BOUNDS');
    expect(beyond.path).toBe('mask.data[0]');
  });

  test('a mask keeps its own memory', async () => {
    using array = cuda.empty([64], 'uint8');
    const flags = cuda.empty([64], 'bool');
    const masked = cuda.asArray(
      foreignProducer(array, null, { mask: foreignProducer(flags, null) }),
    );
    const { pointer } = flags;
    flags[Symbol.dispose]();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(cuda.inspectPointer(pointer).memoryKind).toBe('device');
    const live = liveAllocations();
    masked[Symbol.dispose]();
    await vi.waitFor(() => expect(liveAllocations()).toBeLessThan(live), 100_000);
  });

  test('an array without elements, whatever its pointer', async () => {
    using array = cuda.empty([4], 'float32');
    for (const pointer of [0n, null, 0x1000n]) {
      const data = [pointer, false];
      using empty = cuda.asArray(foreignProducer(array, null, { shape: [0, 3], data }));
      expect(empty.shape).toEqual([0, 3]);
      expect(empty.__cuda_array_interface__.data).toEqual([0n, false]);
      expect(await cuda.toTypedArray(empty)).toEqual(new Float32Array(0));
    }
  });

  test('read-only stays read-only', async () => {
    using array = await cuda.array(Uint8Array.of(1, 2, 3));
    const data = [array.pointer, true];
    using borrowed = cuda.asArray(foreignProducer(array, null, { data }));
    await refused(() => cuda.fill(borrowed, 9), 'ERR_READ_ONLY');
    expect(borrowed.flip().__cuda_array_interface__.data[1]).toBe(true);
    expect(await cuda.toTypedArray(array)).toEqual(Uint8Array.of(1, 2, 3));
  });

  test('invalid streams and options', async () => {
    using array = cuda.empty([4], 'uint8');
    for (const stream of [0n, 0, -1n, 2n ** 64n]) {
      await refused(() => cuda.asArray(foreignProducer(array, null, { stream })), 'ERR_STREAM');
    }
    const producer = foreignProducer(array, null);
    await refused(() => cuda.asArray(producer, { sync: 'never' as never }), 'ERR_ARGUMENT');
    await refused(() => cuda.asArray(producer, { producerStream: 0n }), 'ERR_STREAM');
  });

  test('JavaScript memory is not borrowed', async () => {
    await refused(() => cuda.asArray(new Uint8Array(4)), 'ERR_NO_INTERFACE');
  });

  test('a loan of our own memory keeps it until it ends', async () => {
    const array = await cuda.array(Uint8Array.of(5, 6, 7));
    const loan = cuda.asArray(foreignProducer(array, null));
    array[Symbol.dispose]();
    expect(await cuda.toTypedArray(loan)).toEqual(Uint8Array.of(5, 6, 7));
    const live = liveAllocations();
    loan[Symbol.dispose]();
    await vi.waitFor(() => expect(liveAllocations()).toBeLessThan(live), 100_000);
    await refused(() => cuda.toTypedArray(loan), 'ERR_DISPOSED');
    await refused(() => loan.__cuda_array_interface__, 'ERR_DISPOSED');
  });

  test('a loan of a part of our memory is recognised by its address', async () => {
    const array = await cuda.array(Uint8Array.from({ length: 100 }, (_, i) => i));
    const part = array.slice([[40, 45]]).flip();
    const loan = cuda.asArray(foreignProducer(part, null));
    array[Symbol.dispose]();
    using next = await cuda.array(new Uint8Array(100)); // reuses what was freed
    expect(next.pointer).not.toBe(loan.pointer - 44n);
    expect(await cuda.toTypedArray(loan)).toEqual(Uint8Array.of(44, 43, 42, 41, 40));
    loan[Symbol.dispose]();
    await vi.waitFor(() => expect(liveAllocations()).toBe(1), 100_000);
  });

  test('our own dict with another stream is ordered by that stream', () => {
    using array = cuda.empty([4], 'uint8');
    using stream = cuda.createStream();
    const dict = array.__cuda_array_interface__;
    using vouched = cuda.asArray({ __cuda_array_interface__: { ...dict } });
    const named = { ...dict, stream: stream.handle };
    using claimed = cuda.asArray({ __cuda_array_interface__: named });
    const followed = ({ memory }: typeof array) =>
      (memory as unknown as { producerQueue: { handle: bigint } | null }).producerQueue?.handle;
    expect([followed(vouched), followed(claimed)]).toEqual([undefined, stream.handle]);
  });

  test('the producer is kept while it is borrowed', () => {
    using array = cuda.empty([4], 'uint8');
    const producer = foreignProducer(array, null);
    using borrowed = cuda.asArray(producer);
    expect((borrowed.memory as unknown as { producer: unknown }).producer).toBe(producer);
    expect(borrowed.flip().descriptor.owner).toBe(borrowed.memory);
  });
});
