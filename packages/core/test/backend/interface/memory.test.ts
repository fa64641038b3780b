import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ArrayCapsule, arrayCapsule, memoryOf } from '../../../src/backend/index.js';
import { makeDescriptor } from '../../../src/index.js';
import { FakeBackend, type FakeMemory } from '../../support/fake-driver.js';

function setUp() {
  const { driver } = new FakeBackend();
  const queue = driver.queues[0];
  if (queue === undefined) throw new Error('expected a queue');
  const memory = driver.allocate(64, { queue }, 0);
  driver.taken();
  return { driver, queue, memory };
}

const isOver = ({ ended, freed }: FakeMemory) => [ended, freed];

describe('Memory', () => {
  test('is disposed when its owner ends it, and freed when pending work has ended', () => {
    const { driver, queue, memory } = setUp();
    memory.retain();
    queue[Symbol.dispose]();
    memory.end();
    memory.end();
    expect(isOver(memory)).toEqual([true, false]);
    expect(() => memory.assertLive('array')).toThrow(
      expect.objectContaining({ code: 'ERR_DISPOSED', path: 'array' }),
    );
    expect(driver.taken()).toEqual([]);
    memory.release();
    expect(isOver(memory)).toEqual([true, true]);
    expect(driver.taken()).toEqual(['q0 ends']);
  });

  test('says of elements beyond it how far they go, from its first byte on', () => {
    const { memory } = setUp();
    const property = fc.property(
      fc.integer({ min: -99, max: 163 }),
      fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: -40, max: 40 })), {
        maxLength: 3,
      }),
      (start, axes) => {
        const shape = axes.map(([length]) => length);
        const strides = axes.map(([, stride]) => stride);
        const pointer = memory.pointer + BigInt(start);
        const array = makeDescriptor({ pointer, shape, byteStrides: strides, dtype: 'uint16' });
        const ways = axes.map(([length, stride]) => (length - 1) * stride);
        const first = start + ways.reduce((sum, way) => sum + Math.min(way, 0), 0);
        const end = start + ways.reduce((sum, way) => sum + Math.max(way, 0), 0) + 2;
        const ask = () => memory.assertHolds(array, 'array');
        if (first >= 0 && end <= 64) return ask();
        expect(ask).toThrow(
          expect.objectContaining({
            code: 'ERR_OUT_OF_BOUNDS',
            path: 'array',
            message: expect.stringContaining(`of 64 bytes, got bytes ${first} to ${end} of it`),
          }),
        );
      },
    );
    fc.assert(property, random(500));
  });

  test('exports no capsule, and imports none, unless its backend can', () => {
    const { driver, memory } = setUp();
    const array = driver.wrap(
      memory,
      makeDescriptor({ pointer: 64, shape: [1], dtype: 'uint8' }),
      null,
    );
    const refusal = {
      code: 'ERR_NOT_ACCESSIBLE',
      message: expect.stringContaining('host.array()'),
    };
    expect(() => array[arrayCapsule]()).toThrow(expect.objectContaining(refusal));
    const producer = { [arrayCapsule]: () => ({}) as ArrayCapsule };
    expect(() => new FakeBackend().asArray(producer)).toThrow(
      expect.objectContaining({ code: 'ERR_NO_INTERFACE' }),
    );
  });

  test('is kept by its owner, however many operations end', () => {
    const { memory } = setUp();
    for (let i = 0; i < 3; i++) {
      memory.retain();
      memory.release();
    }
    expect(isOver(memory)).toEqual([false, false]);
    memory.end();
    expect(isOver(memory)).toEqual([true, true]);
  });

  test('is at the addresses that queues and this process use', () => {
    const { memory } = setUp();
    const array = makeDescriptor({ pointer: memory.pointer, shape: [4], dtype: 'uint8' });
    expect(memory.onDevice(array)).toBe(array);
    expect(memory.onHost(array)).toBeNull();
    Object.assign(memory, { shift: 8n, hostOffset: -16n });
    expect(memory.onDevice(array).pointer).toBe(array.pointer + 8n);
    expect(memory.onHost(array)?.pointer).toBe(array.pointer - 16n);
    Object.assign(memory, { hostOffset: 0n });
    expect(memory.onHost(array)).toBe(array);
  });

  test('refuses arrays that leave its allocation', () => {
    const { memory } = setUp();
    const at = (offset: bigint) =>
      makeDescriptor({ pointer: memory.pointer + offset, shape: [4], dtype: 'float32' });
    memory.assertHolds(at(0n), 'source');
    memory.assertHolds(at(48n), 'source');
    for (const offset of [-1n, 49n]) {
      expect(() => memory.assertHolds(at(offset), 'source')).toThrow(
        expect.objectContaining({ code: 'ERR_OUT_OF_BOUNDS', path: 'source' }),
      );
    }
  });

  test('is found from an owner, and from nothing else', () => {
    const { memory } = setUp();
    expect(memoryOf(memory)).toBe(memory);
    for (const other of [null, undefined, {}, 1n, 'cpu', () => 1])
      expect(memoryOf(other)).toBeNull();
  });
});
