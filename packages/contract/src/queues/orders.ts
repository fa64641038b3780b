import { describe, expect } from 'vitest';
import { Block } from '../support/block.js';
import { exported } from '../support/exported.js';
import { pendingOrEnded, withFixtures } from '../support/fixtures.js';
import { pattern } from '../support/pattern.js';
import type { Subject } from '../support/subject.js';

const LENGTH = 4096;

/**
 * Work on several queues without explicit waits; a missing dependency would give wrong bytes. Each
 * case runs twice: with the earlier work still pending when the next is enqueued, and with it
 * already ended, as is usual on a fast device.
 */
export function orders({ backend }: Subject): void {
  let seed = 0; // Each block has bytes of its own, so reused memory never has the right ones.
  const block = () => Block.make(backend, LENGTH, seed++);
  const empty = () => backend.empty([LENGTH], 'uint8');
  const full = (value: number) => new Uint8Array(LENGTH).fill(value);
  const test = withFixtures(backend, {
    ...{ source: block, one: block, two: block, three: block },
    ...{ target: empty, again: empty },
  });

  describe.each(pendingOrEnded(backend))('order of work, with the work %s', (_, settle) => {
    test('a chain across queues', async ({ first, second, source, one, two, three, work }) => {
      work.push(backend.copy(one.array, source.array, { queue: first }));
      work.push(backend.copy(two.array, one.array, { queue: second }));
      await settle();
      work.push(backend.copy(three.array, two.array, { queue: first }));
      await settle();
      const got = await backend.toTypedArray(three.array, { queue: second });
      expect(got).toEqual(source.expected);
    });

    test('writing waits for reading on another queue', async ({
      first,
      second,
      source,
      one,
      work,
    }) => {
      const old = source.expected.slice();
      work.push(backend.copy(one.array, source.array, { queue: first }));
      await settle();
      work.push(backend.fill(source.array, 7, { queue: second }));
      expect(await backend.toTypedArray(one.array)).toEqual(old);
      expect(await backend.toTypedArray(source.array)).toEqual(full(7));
    });

    test('the last of two writers wins', async ({ first, second, one, work }) => {
      work.push(backend.fill(one.array, 1, { queue: first }));
      await settle();
      work.push(backend.fill(one.array, 2, { queue: second }));
      expect(await backend.toTypedArray(one.array)).toEqual(full(2));
    });

    test('an export waits for the pending work', async ({
      first,
      second,
      source,
      target,
      work,
    }) => {
      work.push(backend.copy(target, source.array, { queue: first }));
      await settle();
      using borrowed = backend.asArray(exported(target).producer());
      using again = backend.empty([LENGTH], 'uint8', { queue: second });
      await backend.copy(again, borrowed, { queue: second });
      expect(await backend.toTypedArray(again)).toEqual(source.expected);
    });

    test('an export waits for work on several queues', async ({
      first,
      second,
      third,
      source,
      target,
      again,
      work,
    }) => {
      work.push(backend.fill(target, 1, { queue: first }));
      work.push(backend.copy(target, source.array, { queue: second }));
      await settle();
      using borrowed = backend.asArray(exported(target).producer());
      work.push(backend.copy(again, borrowed, { queue: third }));
      expect(await backend.toTypedArray(again)).toEqual(source.expected);
    });

    test("a producer's next work waits for its consumer", async ({
      first,
      second,
      source,
      work,
    }) => {
      using target = backend.empty([LENGTH], 'uint8', { queue: first });
      using again = backend.empty([LENGTH], 'uint8', { queue: second });
      work.push(backend.copy(target, source.array, { queue: first }));
      await settle();
      using borrowed = backend.asArray(exported(target).producer());
      work.push(backend.copy(again, borrowed, { queue: second }));
      work.push(backend.fill(target, 7, { queue: first }));
      first.synchronizeSync();
      expect(await backend.toTypedArray(again)).toEqual(source.expected);
      expect(await backend.toTypedArray(target)).toEqual(full(7));
    });

    test("an owner's next work waits for work on a loan, and vice versa", async ({
      first,
      second,
      source,
      target,
      again,
      work,
    }) => {
      using loan = backend.asArray(source.array);
      work.push(backend.copy(target, loan, { queue: first }));
      await settle();
      work.push(backend.fill(source.array, 7, { queue: second }));
      work.push(backend.copy(again, loan, { queue: first }));
      await settle();
      work.push(backend.fill(loan, 9, { queue: second }));
      expect(await backend.toTypedArray(target)).toEqual(source.expected);
      expect(await backend.toTypedArray(again)).toEqual(full(7));
      expect(await backend.toTypedArray(source.array)).toEqual(full(9));
    });

    test('freed memory is not reused while work on a loan of it is pending', async ({
      first,
      source,
      target,
      work,
    }) => {
      const loan = backend.asArray(exported(source.array).producer());
      work.push(backend.copy(target, loan, { queue: first }));
      await settle();
      source[Symbol.dispose]();
      loan[Symbol.dispose]();
      using next = backend.empty([LENGTH], 'uint8');
      await backend.fill(next, 5);
      expect(await backend.toTypedArray(target)).toEqual(source.expected);
    });

    test('JavaScript memory is read before the call returns', async ({ target }) => {
      const source = pattern(LENGTH, 5);
      const copied = backend.copy(target, source);
      source.fill(0);
      await copied;
      expect(await backend.toTypedArray(target)).toEqual(pattern(LENGTH, 5));
    });

    test('JavaScript memory is written when the promise settles', async ({ source }) => {
      const target = new Uint8Array(LENGTH);
      await backend.copy(target, source.array);
      expect(target).toEqual(source.expected);
    });

    test('a source may be disposed while its copy is pending', async ({ source, target }) => {
      const copied = backend.copy(target, source.array);
      await settle();
      source[Symbol.dispose]();
      await copied;
      expect(await backend.toTypedArray(target)).toEqual(source.expected);
    });

    test('a queue may be disposed while its work is pending', async ({ first, source, target }) => {
      const copied = backend.copy(target, source.array, { queue: first });
      await settle();
      first[Symbol.dispose]();
      await copied;
      expect(await backend.toTypedArray(target)).toEqual(source.expected);
    });

    test('events are complete once the work before them has ended', async ({
      first,
      second,
      target,
      work,
    }) => {
      work.push(backend.fill(target, 3, { queue: first }));
      await settle();
      const event = first.record();
      second.wait(event);
      await second.synchronize();
      expect(event.query()).toBe(true);
      expect(first.query()).toBe(true);
      event.synchronizeSync();
      first.synchronizeSync();
      await backend.synchronize();
      await target.synchronize();
    });
  });
}
