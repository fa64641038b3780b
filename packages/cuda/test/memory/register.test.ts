import { internals } from '@array-interface/core/backend';
import { cuda, liveAllocations } from '@array-interface/cuda';
import { describe, expect, test, vi } from 'vitest';
import { addon } from '../../src/addon.js';
import { CudaBackend } from '../../src/backend.js';
import { childAnswer } from '../support/child.js';
import { driver } from '../support/driver.js';
import { probe } from '../support/probe.js';
import { foreignProducer } from '../support/producer.js';
import { refused } from '../support/refused.js';

test.each([{ devcie: 1 }, null])(
  'options %o are refused by functions that take an array',
  async (options) => {
    const shared = new Uint8Array(new SharedArrayBuffer(64));
    await refused(() => cuda.register(shared, options as never), 'ERR_ARGUMENT');
    using array = cuda.empty([1], 'uint8');
    await refused(() => cuda.settle(array, options as never), 'ERR_ARGUMENT');
  },
);

describe('registered memory', () => {
  test('is used in place', async () => {
    const view = new Float32Array(new SharedArrayBuffer(4096), 16, 100).fill(1);
    using array = cuda.register(view);
    expect(array.shape).toEqual([100]);
    expect(array.dtype.typestr).toBe('<f4');
    const every = array.slice([[0, 100, 2]]);
    await cuda.fill(every, 7);
    await array.synchronize();
    expect([...view.slice(0, 4)]).toEqual([7, 1, 7, 1]);
    view[1] = 5;
    using copied = cuda.empty([100], 'float32');
    await cuda.copy(copied, array);
    expect([...(await cuda.toTypedArray(copied)).slice(0, 4)].map(Number)).toEqual([7, 5, 7, 1]);
  });

  test('is distinguished from pinned memory', () => {
    using array = cuda.register(new Uint8Array(new SharedArrayBuffer(64)));
    using pinned = cuda.empty([64], 'uint8', { memoryKind: 'host' });
    expect(cuda.inspectPointer(array.pointer)).toMatchObject({
      memoryKind: 'host',
      detail: 'registered',
      hostAccessible: true,
    });
    expect(cuda.inspectPointer(pinned.pointer).detail).toBe('pinned');
  });

  test('is unregistered with its last array', async () => {
    const view = new Uint8Array(new SharedArrayBuffer(256));
    const array = cuda.register(view);
    const { pointer } = array;
    void cuda.fill(array, 3);
    array[Symbol.dispose]();
    await cuda.synchronize();
    await vi.waitFor(
      () => expect(cuda.inspectPointer(pointer).memoryKind).toBe('unknown'),
      100_000,
    );
    expect(view[0]).toBe(3);
    await vi.waitFor(() => expect(liveAllocations()).toBe(0), 100_000);
    cuda.register(view)[Symbol.dispose]();
  });

  test('refuses memory that may move, empty memory, and the same memory twice', async () => {
    await refused(() => cuda.register(new Uint8Array(8)), 'ERR_ARGUMENT');
    await refused(() => cuda.register(new Uint8Array(new SharedArrayBuffer(0))), 'ERR_ARGUMENT');
    const view = new Uint8Array(new SharedArrayBuffer(64));
    using array = cuda.register(view);
    const error = await refused(() => cuda.register(view), 'ERR_CUDA');
    expect(error.driverCode).toBe('CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED');
    await refused(() => cuda.share(array), 'ERR_TICKET');
  });

  test('refuses a mask, which would not be registered', async () => {
    using array = cuda.empty([64], 'bool', { memoryKind: 'host' });
    using masked = cuda.asArray(
      foreignProducer(array, null, { mask: foreignProducer(array, null) }),
    );
    await refused(() => cuda.register(masked), 'ERR_MASK');
  });

  test('keeps its address in this process where kernels have another', async () => {
    const native = addon();
    const { register } = native;
    const spy = vi.spyOn(native, 'register').mockImplementation((device, bytes) => {
      const made = register(device, bytes);
      return { ...made, pointer: made.pointer + 0x10000n };
    });
    using array = cuda.register(new Uint8Array(new SharedArrayBuffer(64)));
    spy.mockRestore();
    const { pointer } = array;
    expect(internals(array.memory).onHost(array.descriptor)?.pointer).toBe(pointer - 0x10000n);
    const rest = array.slice([[3, 9]]);
    expect(internals(rest.memory).onHost(rest.descriptor)?.pointer).toBe(pointer - 0x10000n + 3n);
  });

  test("another backend's memory is imported if the driver tells its range", () => {
    probe.makeCurrent(0);
    const pointer = probe.allocateHost(64);
    const dict = { shape: [64], typestr: '|u1', data: [pointer, false], version: 3 };
    const other = new CudaBackend(); // as little known here as one of another device
    using array = other.asArray({ __cuda_array_interface__: dict }, { producerStream: null });
    using stream = cuda.createStream();
    const found = () => driver.import(array.descriptor, array.memory, stream);
    const known = found();
    expect(known?.memory.allocation).toEqual({ pointer, byteLength: 64 });
    internals(known?.memory)?.end();
    const { queryPointerInItsContext } = addon();
    const untold = vi.spyOn(addon(), 'queryPointerInItsContext').mockImplementation((address) => {
      const told = queryPointerInItsContext(address);
      return told && { ...told, rangeSize: 0n };
    });
    const unknown = found();
    expect(untold).toHaveBeenCalled();
    untold.mockRestore();
    expect(unknown).toBeNull();
    probe.freeHost(pointer);
  });

  test('the buffer’s memory outlives its collection while work on it is pending', async () => {
    const outcome = await childAnswer<string>(
      `import { cuda } from '@array-interface/cuda';
      import { setTimeout as pause } from 'node:timers/promises';
      for (let i = 0; i < 50; i++) {
        const array = cuda.register(new Uint8Array(new SharedArrayBuffer(1 << 16)));
        void cuda.fill(array, i);
        if (i % 2) array[Symbol.dispose]();
        if (i % 10 === 0) { globalThis.gc(); await pause(1); }
      }
      for (let i = 0; i < 20; i++) { globalThis.gc(); await pause(20); }
      await cuda.synchronize();
      console.log(JSON.stringify('done'));`,
      {},
      ['--expose-gc'],
    );
    expect(outcome).toBe('done');
  });
});
