import { describe, expect, test } from 'vitest';
import { Block } from '../support/block.js';
import { exported } from '../support/exported.js';
import { pattern } from '../support/pattern.js';
import type { Subject } from '../support/subject.js';

const LENGTH = 4096;

/**
 * Work on several queues without explicit waits; a missing dependency would give wrong bytes. Each
 * case runs twice: with the earlier work still pending when the next is enqueued, and with it
 * already ended, as is usual on a fast device.
 */
export function orders({ backend }: Subject): void {
  describe.each([
    ['with the work pending', async () => {}],
    ['with the work ended', () => backend.synchronize()],
  ])('order of work, %s', (_, reached) => {
    test('a chain across queues', async () => {
      using first = backend.createQueue();
      using second = backend.createQueue();
      using source = await Block.make(backend, LENGTH, 1);
      using one = await Block.make(backend, LENGTH, 2);
      using two = await Block.make(backend, LENGTH, 3);
      using three = await Block.make(backend, LENGTH, 4);
      const copies = [
        backend.copy(one.array, source.array, { queue: first }),
        backend.copy(two.array, one.array, { queue: second }),
      ];
      await reached();
      copies.push(backend.copy(three.array, two.array, { queue: first }));
      await reached();
      const got = await backend.toTypedArray(three.array, { queue: second });
      expect(got).toEqual(source.expected);
      await Promise.all(copies);
    });

    test('writing waits for reading on another queue', async () => {
      using first = backend.createQueue();
      using second = backend.createQueue();
      using source = await Block.make(backend, LENGTH, 1);
      using target = await Block.make(backend, LENGTH, 2);
      const old = source.expected.slice();
      const copies = [backend.copy(target.array, source.array, { queue: first })];
      await reached();
      copies.push(backend.fill(source.array, 7, { queue: second }));
      expect(await backend.toTypedArray(target.array)).toEqual(old);
      expect(await backend.toTypedArray(source.array)).toEqual(new Uint8Array(LENGTH).fill(7));
      await Promise.all(copies);
    });

    test('the last of two writers wins', async () => {
      using first = backend.createQueue();
      using second = backend.createQueue();
      using target = await Block.make(backend, LENGTH, 1);
      const fills = [backend.fill(target.array, 1, { queue: first })];
      await reached();
      fills.push(backend.fill(target.array, 2, { queue: second }));
      expect(await backend.toTypedArray(target.array)).toEqual(new Uint8Array(LENGTH).fill(2));
      await Promise.all(fills);
    });

    test('an export carries the pending work along', async () => {
      using first = backend.createQueue();
      using second = backend.createQueue();
      using source = await Block.make(backend, LENGTH, 1);
      using target = backend.empty([LENGTH], 'uint8');
      const copied = backend.copy(target, source.array, { queue: first });
      await reached();
      using borrowed = backend.asArray(exported(target).producer());
      using again = backend.empty([LENGTH], 'uint8', { queue: second });
      await backend.copy(again, borrowed, { queue: second });
      expect(await backend.toTypedArray(again)).toEqual(source.expected);
      await copied;
    });

    test('an export carries the work of several queues along', async () => {
      using first = backend.createQueue();
      using second = backend.createQueue();
      using third = backend.createQueue();
      using source = await Block.make(backend, LENGTH, 1);
      using target = backend.empty([LENGTH], 'uint8');
      using again = backend.empty([LENGTH], 'uint8');
      const work = [
        backend.fill(target, 1, { queue: first }),
        backend.copy(target, source.array, { queue: second }),
      ];
      await reached();
      using borrowed = backend.asArray(exported(target).producer());
      work.push(backend.copy(again, borrowed, { queue: third }));
      expect(await backend.toTypedArray(again)).toEqual(source.expected);
      await Promise.all(work);
    });

    test('what a producer does next waits for its consumer', async () => {
      using first = backend.createQueue();
      using second = backend.createQueue();
      using source = await Block.make(backend, LENGTH, 1);
      using target = backend.empty([LENGTH], 'uint8', { queue: first });
      using again = backend.empty([LENGTH], 'uint8', { queue: second });
      const work = [backend.copy(target, source.array, { queue: first })];
      await reached();
      using borrowed = backend.asArray(exported(target).producer());
      work.push(backend.copy(again, borrowed, { queue: second }));
      work.push(backend.fill(target, 7, { queue: first }));
      first.synchronizeSync();
      expect(await backend.toTypedArray(again)).toEqual(source.expected);
      expect(await backend.toTypedArray(target)).toEqual(new Uint8Array(LENGTH).fill(7));
      await Promise.all(work);
    });

    test('what an owner does next waits for work on a loan, and the other way round', async () => {
      using first = backend.createQueue();
      using second = backend.createQueue();
      using source = await Block.make(backend, LENGTH, 1);
      using target = backend.empty([LENGTH], 'uint8');
      using again = backend.empty([LENGTH], 'uint8');
      using loan = backend.asArray(source.array);
      const work = [backend.copy(target, loan, { queue: first })];
      await reached();
      work.push(backend.fill(source.array, 7, { queue: second }));
      work.push(backend.copy(again, loan, { queue: first }));
      await reached();
      work.push(backend.fill(loan, 9, { queue: second }));
      expect(await backend.toTypedArray(target)).toEqual(source.expected);
      expect(await backend.toTypedArray(again)).toEqual(new Uint8Array(LENGTH).fill(7));
      expect(await backend.toTypedArray(source.array)).toEqual(new Uint8Array(LENGTH).fill(9));
      await Promise.all(work);
    });

    test('memory that is given back is not used again under work on a loan of it', async () => {
      using first = backend.createQueue();
      using target = backend.empty([LENGTH], 'uint8');
      const source = await Block.make(backend, LENGTH, 1);
      const loan = backend.asArray(exported(source.array).producer());
      const copied = backend.copy(target, loan, { queue: first });
      await reached();
      source[Symbol.dispose]();
      loan[Symbol.dispose]();
      using next = backend.empty([LENGTH], 'uint8');
      await backend.fill(next, 5);
      expect(await backend.toTypedArray(target)).toEqual(source.expected);
      await copied;
    });

    test('JavaScript memory is read before the call returns', async () => {
      using target = backend.empty([LENGTH], 'uint8');
      const source = pattern(LENGTH, 5);
      const copied = backend.copy(target, source);
      source.fill(0);
      await copied;
      expect(await backend.toTypedArray(target)).toEqual(pattern(LENGTH, 5));
    });

    test('JavaScript memory is written when the promise settles', async () => {
      using source = await Block.make(backend, LENGTH, 6);
      const target = new Uint8Array(LENGTH);
      await backend.copy(target, source.array);
      expect(target).toEqual(source.expected);
    });

    test('a source may be disposed while its copy is pending', async () => {
      using target = backend.empty([LENGTH], 'uint8');
      const source = await Block.make(backend, LENGTH, 7);
      const copied = backend.copy(target, source.array);
      await reached();
      source[Symbol.dispose]();
      await copied;
      expect(await backend.toTypedArray(target)).toEqual(source.expected);
    });

    test('a queue may be disposed while its work is pending', async () => {
      using source = await Block.make(backend, LENGTH, 8);
      using target = backend.empty([LENGTH], 'uint8');
      const queue = backend.createQueue();
      const copied = backend.copy(target, source.array, { queue });
      await reached();
      queue[Symbol.dispose]();
      await copied;
      expect(await backend.toTypedArray(target)).toEqual(source.expected);
    });

    test('events are reached once the work before them has ended', async () => {
      using queue = backend.createQueue();
      using other = backend.createQueue();
      using target = backend.empty([LENGTH], 'uint8');
      const filled = backend.fill(target, 3, { queue });
      await reached();
      const event = queue.record();
      other.wait(event);
      await other.synchronize();
      expect(event.query()).toBe(true);
      expect(queue.query()).toBe(true);
      event.synchronizeSync();
      queue.synchronizeSync();
      await backend.synchronize();
      await target.synchronize();
      await filled;
    });
  });
}
