import {
  type ArrayLike,
  type Backend,
  type BackendArray,
  dtype,
  type Producer,
} from '@array-interface/core';
import { type ArrayProxy, arrayCapsule, arrayProducer } from '@array-interface/core/backend';
import { describe, expect } from 'vitest';
import { Block } from '../support/block.js';
import { onceCollected } from '../support/collect.js';
import { exported, readProducer } from '../support/exported.js';
import { withFixtures } from '../support/fixtures.js';
import { referenceBytes } from '../support/reference.js';
import { allRefused, refused } from '../support/refused.js';
import type { Subject } from '../support/subject.js';

/** Passes arrays through the backend's own interface dict and back, and checks what is borrowed. */
export function interfaces({ backend }: Subject): void {
  const test = withFixtures(backend, {
    block: () => Block.make(backend, 16, 2),
    target: () => backend.empty([16], 'uint8'),
  });

  const read = (producer: Producer) => readProducer(backend, producer);

  describe('interface', () => {
    test('the dict describes the array', async () => {
      using array = backend.empty([3, 4], 'float32');
      const view = array.slice([
        [null, null, -1],
        [1, 3],
      ]);
      expect(read(exported(view).producer())).toMatchObject({
        pointer: view.pointer,
        ...{ shape: [3, 2], byteStrides: [-16, 4], dtype: { typestr: '<f4' }, readOnly: false },
      });
    });

    test('borrowing it shares memory, both ways', async () => {
      using block = await Block.make(backend, 48, 1);
      const view = block.array.slice([[40, 8, -2]]);
      using borrowed = backend.asArray(exported(view).producer());
      expect(borrowed.pointer).toBe(view.pointer);
      const place = { offset: 40, shape: [16], byteStrides: [-2], itemsize: 1 };
      expect(await backend.toTypedArray(borrowed)).toEqual(referenceBytes(block.expected, place));
      await backend.fill(borrowed, 0xee);
      for (let i = 40; i > 8; i -= 2) block.expected[i] = 0xee;
      await block.verify();
      await backend.fill(view, 0x11);
      expect(await backend.toTypedArray(borrowed)).toEqual(new Uint8Array(16).fill(0x11));
    });

    test('a producer can be a source and a destination', async ({ block, target }) => {
      await backend.copy(exported(target).producer(), exported(block.array).producer());
      expect(await backend.toTypedArray(exported(target).producer())).toEqual(block.expected);
      using copied = await backend.array(exported(target).producer());
      expect(await backend.toTypedArray(copied)).toEqual(block.expected);
    });

    test("a proxy of a producer is accepted, and asked for the backend's protocol", async ({
      block,
      target,
    }) => {
      const asked: string[] = [];
      const proxy = (array: BackendArray): ArrayProxy => ({
        [arrayProducer](protocol) {
          asked.push(protocol);
          return exported(array).producer();
        },
      });
      using borrowed = backend.asArray(proxy(block.array));
      expect(borrowed.pointer).toBe(block.array.pointer);
      await backend.copy(proxy(target), proxy(block.array));
      expect(await backend.toTypedArray(proxy(target))).toEqual(block.expected);
      using copied = await backend.array(proxy(target));
      await backend.fill(proxy(target), 1);
      expect(await backend.toTypedArray(copied)).toEqual(block.expected);
      expect(await backend.toTypedArray(target)).toEqual(new Uint8Array(16).fill(1));
      const { protocol } = backend;
      const known = typeof protocol === 'string' ? protocol : 'host';
      expect(new Set(asked)).toEqual(new Set([known]));
      await refused(() => backend.asArray({ [arrayProducer]: () => ({}) }), 'ERR_NO_INTERFACE');
    });

    test.for<[string, (array: BackendArray) => ArrayLike]>([
      ['a capsule', (array) => capsuleOf(array)],
      [
        'an object that returns a capsule',
        (array) => ({ [arrayCapsule]: () => capsuleOf(array) }) as never,
      ],
    ])('%s is taken wherever an array is', async ([_, given], { block, target, first: queue }) => {
      await block.array.synchronize(); // so that its dict names no pending work
      using borrowed = backend.asArray(given(block.array));
      expect(borrowed.pointer).toBe(block.array.pointer);
      expect(await backend.toTypedArray(given(block.array))).toEqual(block.expected);
      using copied = await backend.array(given(block.array));
      expect(await backend.toTypedArray(copied)).toEqual(block.expected);
      await target.synchronize();
      await backend.copy(given(target), given(block.array));
      expect(await backend.toTypedArray(target)).toEqual(block.expected);
      await target.synchronize();
      const [reads, writes] = [[given(block.array)], [given(target)]];
      expect(await backend.use(queue, { reads, writes }, () => 'used')).toBe('used');
      await target.synchronize();
      await backend.fill(given(target), 1);
      expect(await backend.toTypedArray(target)).toEqual(new Uint8Array(16).fill(1));
      await block.verify();
    });

    test('a borrowed array keeps what the proxy returned, not the proxy', async () => {
      using array = await backend.array(Uint8Array.of(1, 2, 3));
      const { borrowed, proxy, producer } = standingFor(backend, array);
      await onceCollected(() => expect(proxy.deref()).toBeUndefined());
      expect(producer.deref()).toBeDefined();
      expect(await backend.toTypedArray(borrowed)).toEqual(Uint8Array.of(1, 2, 3));
      borrowed[Symbol.dispose]();
    });

    test('an array of the backend can be borrowed', async () => {
      using array = await backend.array([1, 2, 3], { dtype: 'int32' });
      using borrowed = backend.asArray(array);
      expect(borrowed.pointer).toBe(array.pointer);
      using asked = backend.asArray(array, { readOnly: true });
      await refused(() => backend.fill(asked, 1), 'ERR_READ_ONLY');
      await backend.fill(borrowed, 7);
      expect(await backend.toTypedArray(array)).toEqual(Int32Array.of(7, 7, 7));
      using rest = backend.asArray(array.slice([[1, null]]).descriptor);
      expect(await backend.toTypedArray(rest)).toEqual(Int32Array.of(7, 7));
    });

    test('an array without elements', async () => {
      using array = backend.empty([0, 3], 'float32');
      using borrowed = backend.asArray(exported(array).producer());
      expect(borrowed.shape).toEqual([0, 3]);
      expect(await backend.toTypedArray(borrowed)).toEqual(new Float32Array(0));
    });

    test('read-only stays read-only, through views and re-export', async ({ block }) => {
      const { pointer, producer } = exported(block.array);
      const frozen = producer({ data: [pointer, true] });
      using borrowed = backend.asArray(frozen);
      using asked = backend.asArray(producer(), { readOnly: true });
      const view = borrowed.flip();
      expect(view.readOnly).toBe(true);
      expect(read(exported(view).producer()).readOnly).toBe(true);
      await allRefused(
        'ERR_READ_ONLY',
        () => backend.fill(view, 1),
        () => backend.copy(borrowed, block.array),
        () => backend.copy(frozen, block.array),
        () => backend.fill(asked, 1),
      );
      await block.verify();
    });

    test('bytes viewed as other elements', async () => {
      using array = await backend.array(Uint8Array.of(1, 0, 0, 0, 2, 0, 0, 0));
      using view = backend.asArray(
        exported(array).producer({ typestr: '<i4', shape: [2], strides: null }),
      );
      expect(view.dtype).toEqual(dtype('int32'));
      expect(await backend.toTypedArray(view)).toEqual(Int32Array.of(1, 2));
    });
  });
}

function capsuleOf(array: BackendArray) {
  return array[arrayCapsule]();
}

/**
 * An array borrowed through a proxy. Nothing else refers to the proxy, nor to the dict that it
 * returned.
 */
function standingFor(backend: Backend, array: BackendArray) {
  const producer = exported(array).producer();
  const proxy: ArrayProxy = { [arrayProducer]: () => producer };
  const borrowed = backend.asArray(proxy);
  return { borrowed, proxy: new WeakRef(proxy), producer: new WeakRef(producer) };
}
