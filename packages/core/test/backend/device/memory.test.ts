import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type BackendIdentity,
  type BackendQueue,
  type DeviceAddon,
  DeviceDriver,
  DeviceMemory,
  DeviceQueue,
  type MemoryHandle,
  type QueueEvent,
  type QueueHandle,
} from '../../../src/backend/index.js';

class OwnQueue extends DeviceQueue {
  readonly device = 0;
  readonly handle = 0n;

  record(): never {
    throw new Error('not recorded in these tests');
  }

  protected ownEvent(event: QueueEvent): never {
    throw new Error(`not asked for in these tests: ${event}`);
  }
}

class OwnMemory extends DeviceMemory<OwnQueue> {
  recordUse(_queue: BackendQueue): void {}
}

/** Borrowed memory with its producer's queue, over an addon that logs what ends. */
function setUp() {
  const ended: unknown[] = [];
  const addon = {
    endMemory: (native: unknown) => ended.push(native),
    endQueue: (native: unknown) => ended.push(native),
  } as unknown as DeviceAddon;
  const producerQueue = new OwnQueue(addon, 'queue' as unknown as QueueHandle);
  const memory = new OwnMemory(addon, {} as BackendIdentity, {
    native: 'memory' as unknown as MemoryHandle,
    memoryKind: 'device',
    pointer: 0x1000n,
    allocation: { pointer: 0x1000n, byteLength: 8 },
    hostOffset: null,
    producer: {},
    producerQueue,
  });
  return { ended, memory, producerQueue };
}

test('memory keeps its producer’s queue until it ends, and releases both once', () => {
  const { ended, memory, producerQueue } = setUp();
  producerQueue[Symbol.dispose]();
  memory.retain();
  memory.end();
  expect(ended).toEqual([]);
  memory.release();
  expect(ended).toEqual(['memory', 'queue']);
  memory.end();
  expect(ended).toEqual(['memory', 'queue']);
});

test('a group has no more items than a kernel allows, and an item at least along each axis', () => {
  const { groupOf } = DeviceDriver.prototype;
  const axes = [2 ** 31, 2 ** 16, 2 ** 6];
  const range = fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 3 });
  const property = fc.property(range, fc.integer({ min: 1, max: 1024 }), (lengths, items) => {
    const group = groupOf.call(null as never, lengths, { items, axes, localBytes: 0 });
    expect(group).toHaveLength(lengths.length);
    expect(Math.min(...group)).toBeGreaterThanOrEqual(1);
    expect(group.reduce((product, length) => product * length, 1)).toBeLessThanOrEqual(items);
  });
  fc.assert(property);
});
