import { isArrayInterfaceError } from '@array-interface/core';
import { describe, expect, test } from 'vitest';
import type { Subject } from './subject.js';

/** Values that no option has, some of which throw when they are looked at. */
const STRANGE: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  'a symbol': () => Symbol('\u001b[31m'),
  'no number': () => Number.NaN,
  'a large number': () => 2 ** 60,
  'an integer': () => -(2n ** 70n),
  'a text': () => '\u202e'.repeat(5000),
  'an empty object': () => Object.create(null),
  'a revoked proxy': revoked,
  'an object that throws': () => new Proxy({}, { get: thrower, getPrototypeOf: thrower }),
};

/**
 * An option that does nothing because it is misspelt would be found too late; one that is no option's value
 * is an error of ours, and not the engine's.
 */
export function options({ backend }: Subject): void {
  const calls: Readonly<Record<string, (given: object) => unknown>> = {
    empty: (given) => backend.empty([1], 'uint8', given),
    array: (given) => backend.array([1], given),
    asArray: (given) => backend.asArray(backend.empty([1], 'uint8'), given),
    copy: (given) => backend.copy(new Uint8Array(1), Uint8Array.of(1), given),
    fill: (given) => backend.fill(new Uint8Array(1), 1, given),
    toTypedArray: (given) => backend.toTypedArray(Uint8Array.of(1), given),
    createQueue: (given) => backend.createQueue(given),
    synchronize: (given) => backend.synchronize(given),
    'synchronize of a queue': (given) => backend.createQueue().synchronize(given),
    'synchronize of an event': (given) => backend.createQueue().record().synchronize(given),
    kernelsBuilt: (given) => backend.kernelsBuilt(given),
  };

  describe('an option that is not known', () => {
    test.each(Object.keys(calls))('is refused by %s, which names those that are', async (name) => {
      const error = await refusal(() => calls[name]?.({ castign: 'unsafe' }));
      if (!isArrayInterfaceError(error, 'ERR_ARGUMENT')) throw error;
      expect(error.path).toBe('castign');
      expect(error.message).toMatch(
        /^expected one of the options (signal|queue|device|sync)\b.*, got "castign"$/,
      );
    });
  });

  describe('an option of no use', () => {
    test.each(Object.keys(calls))('is an error of %s that says which one', async (name) => {
      const call = calls[name] as (given: object) => unknown;
      for (const option of await optionsOf(call)) {
        for (const [what, make] of Object.entries(STRANGE)) {
          const error = await refusal(() => call({ [option]: make() }));
          if (error === null && isHarmless(option, what)) continue;
          expectOurs(error, `${option}: ${what}`);
        }
      }
    });

    test.each(Object.keys(calls))('is an error of %s where it cannot be read', async (name) => {
      const call = calls[name] as (given: object) => unknown;
      for (const option of await optionsOf(call)) {
        const given = Object.defineProperty({}, option, { get: thrower, enumerable: true });
        const error = await refusal(() => call(given));
        expectOurs(error, option);
        expect(error).toMatchObject({ code: 'ERR_ARGUMENT', path: option });
      }
      expectOurs(await refusal(() => call(revoked())), 'a revoked proxy');
    });
  });
}

/** What it is refused with, now or later. Null: it is not. */
async function refusal(act: () => unknown): Promise<unknown> {
  try {
    const made = await act();
    (made as Partial<Disposable> | undefined)?.[Symbol.dispose]?.();
    return null;
  } catch (error) {
    return error ?? 'nothing';
  }
}

/** The options that a function has, by its own account. */
async function optionsOf(call: (given: object) => unknown): Promise<string[]> {
  const error = await refusal(() => call({ castign: 1 }));
  const listed = /^expected one of the options (.*), got/.exec((error as Error).message)?.[1];
  return (listed as string).split(', ');
}

/** Whether an option may be that: null means C order, or no stream, and a chunk may be large. */
function isHarmless(option: string, what: string): boolean {
  if (what === 'null') return ['byteStrides', 'producerStream'].includes(option);
  return option === 'chunkBytes' && what === 'a large number';
}

function expectOurs(error: unknown, about: string): void {
  if (!isArrayInterfaceError(error)) {
    throw new Error(`${about}: no error of ours`, { cause: error });
  }
  expect(error.message, about).toMatch(/^expected /);
  expect(error.message, about).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(error.message.length, about).toBeLessThanOrEqual(2000);
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function thrower(): never {
  throw new Error('a trap');
}
