import { expect, test } from 'vitest';
import { Deadline, whenThereIsMemory } from '../../../src/backend/access/deadline.js';
import type { Driver } from '../../../src/backend/index.js';
import { ArrayInterfaceError } from '../../../src/index.js';
import { rejection } from '../../support/refusal.js';

/** A driver whose pending memory is freed in the waits that `answers` says. */
function driverOf(answers: boolean[]) {
  const seen: number[] = [];
  let count = 5;
  const driver = {
    returned: () => count++, // some is freed after each query
    async memoryReturned(_options: object, since: number) {
      seen.push(since);
      return (
        answers.shift() ?? expect.unreachable('it was asked again where nothing is on its way')
      );
    },
  };
  return { driver: driver as unknown as Driver, seen };
}

function outOfMemory(): never {
  throw new ArrayInterfaceError('ERR_OUT_OF_MEMORY', null, 'expected memory, got none');
}

test('waits for memory returned since before the attempt, and makes one more when none will return', async () => {
  const { driver, seen } = driverOf([true, true, false]);
  let attempts = 0;
  const waited = whenThereIsMemory(driver, {}, undefined, () => {
    attempts++;
    return outOfMemory();
  });
  expect(await rejection(waited)).toMatchObject({ code: 'ERR_OUT_OF_MEMORY' });
  expect([attempts, seen]).toEqual([4, [5, 6, 7]]);
});

test('returns what an attempt returns, and throws other errors at once', async () => {
  const { driver } = driverOf([true]);
  let attempts = 0;
  const made = whenThereIsMemory(driver, {}, undefined, () => {
    return ++attempts === 2 ? 'memory' : outOfMemory();
  });
  expect(await made).toBe('memory');
  const wrong = whenThereIsMemory(driver, {}, undefined, () => {
    throw new Error('on purpose');
  });
  expect(await rejection(wrong)).toMatchObject({ message: 'on purpose' });
});

test('a deadline that has passed leaves no time, and never a negative one', () => {
  expect(new Deadline(-1000).left).toBe(0);
  expect(new Deadline(100_000).left).toBeGreaterThan(0);
});
