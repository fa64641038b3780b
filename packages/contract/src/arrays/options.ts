import { isArrayInterfaceError } from '@array-interface/core';
import { describe, expect, test } from 'vitest';
import type { Subject } from '../support/subject.js';

/** Functions by name, each called with the options under test. */
export type Calls = Readonly<Record<string, (given: object) => unknown>>;

/** Values that are valid for no option. Some of them throw when they are read. */
const STRANGE: Readonly<Record<string, () => unknown>> = {
  null: () => null,
  'a symbol': () => Symbol('\u001b[31m'),
  'no number': () => Number.NaN,
  'a fraction': () => -1.5,
  'a number past 2^53': () => 2 ** 60,
  'an integer': () => -(2n ** 70n),
  'a string': () => '\u202e'.repeat(5000),
  'an empty object': () => Object.create(null),
  'a revoked proxy': revoked,
  'an object that throws': () => new Proxy({}, { get: thrower, getPrototypeOf: thrower }),
  'part of a signal': () => ({ aborted: false, addEventListener() {}, throwIfAborted() {} }),
};

/** Options for which null is valid: C order, or no stream. */
const NULL_IS_A_VALUE = ['byteStrides', 'elementStrides', 'producerStream'];

/** How every backend handles the options of its functions. */
export function options(subject: Subject): void {
  const { backend } = subject;
  checkedOptions({
    empty: (given) => backend.empty([1], 'uint8', given),
    array: (given) => backend.array([1], given),
    asArray: async (given) => {
      using lent = backend.empty([1], 'uint8');
      backend.asArray(lent, given)[Symbol.dispose]();
    },
    copy: (given) => backend.copy(new Uint8Array(1), Uint8Array.of(1), given),
    fill: (given) => backend.fill(new Uint8Array(1), 1, given),
    toTypedArray: (given) => backend.toTypedArray(Uint8Array.of(1), given),
    createQueue: (given) => backend.createQueue(given),
    synchronize: (given) => backend.synchronize(given),
    whenKernelsReady: (given) => backend.whenKernelsReady(given),
    'synchronize of an array': async (given) => {
      using array = backend.empty([1], 'uint8');
      await array.synchronize(given);
    },
    'synchronize of a queue': async (given) => {
      using queue = backend.createQueue();
      await queue.synchronize(given);
    },
    'synchronize of an event': async (given) => {
      using queue = backend.createQueue();
      await queue.record().synchronize(given);
    },
  });

  test('proxies of queues and objects that inherit from one are not queues', async () => {
    using queue = backend.createQueue();
    for (const pretended of [new Proxy(queue, {}), Object.create(queue)]) {
      const error = await refusal(() => backend.empty([1], 'uint8', { queue: pretended }));
      expectOurs(error, 'queue', 'no queue');
    }
  });
}

/**
 * Each function refuses an unknown option, since a misspelt one would have no effect and be noticed
 * too late. It reads each option once. An invalid value throws an ArrayInterfaceError that names
 * the option.
 */
export function checkedOptions(calls: Calls): void {
  const callOf = (name: string) => calls[name] as (given: object) => unknown;

  describe('an option', () => {
    test.each(Object.keys(calls))('that %s does not know is refused', async (name) => {
      const error = await refusal(() => callOf(name)({ castign: 'unsafe' }));
      if (!isArrayInterfaceError(error, 'ERR_ARGUMENT')) throw error;
      expect(error.path).toBe('castign');
      expect(error.reason).toMatch(/^expected one of the options \w+(, \w+)*, got "castign"$/);
    });

    test.each(Object.keys(calls))('of %s is read once', async (name) => {
      for (const option of await optionsOf(callOf(name))) {
        let reads = 0;
        const get = () => void reads++;
        const given = Object.defineProperty({}, option, { get, enumerable: true });
        expect(await refusal(() => callOf(name)(given)), option).toBe(null);
        expect(reads, option).toBe(1);
      }
    });

    test.each(Object.keys(calls))('of %s with a useless value is named', async (name) => {
      for (const option of await optionsOf(callOf(name))) {
        for (const [what, make] of Object.entries(STRANGE)) {
          const error = await refusal(() => callOf(name)({ [option]: make() }));
          if (error === null && what === 'null' && NULL_IS_A_VALUE.includes(option)) continue;
          expectOurs(error, option, `${option}: ${what}`);
        }
      }
    });

    test.each(Object.keys(calls))('of %s that cannot be read is named', async (name) => {
      for (const option of await optionsOf(callOf(name))) {
        const given = Object.defineProperty({}, option, { get: thrower, enumerable: true });
        const error = await refusal(() => callOf(name)(given));
        expectOurs(error, option, option);
        expect(error).toMatchObject({ code: 'ERR_ARGUMENT', path: option });
      }
      expectOurs(await refusal(() => callOf(name)(revoked())), 'options', 'a revoked proxy');
    });
  });
}

/**
 * The error that it throws or rejects with. Null if there is none; what it made is then disposed.
 */
async function refusal(act: () => unknown): Promise<unknown> {
  try {
    const made = await act();
    (made as Partial<Disposable> | undefined)?.[Symbol.dispose]?.();
    return null;
  } catch (error) {
    return error ?? 'nothing';
  }
}

/** The options that a function has, as its own error lists them, each once. */
async function optionsOf(call: (given: object) => unknown): Promise<string[]> {
  const error = await refusal(() => call({ castign: 1 }));
  const listed = /expected one of the options (.*), got/.exec((error as Error).message)?.[1];
  const names = (listed as string).split(', ');
  expect(new Set(names).size).toBe(names.length);
  return names;
}

/** Checks what every ArrayInterfaceError promises: it names the option, or a part of it. */
function expectOurs(error: unknown, option: string, about: string): void {
  if (!isArrayInterfaceError(error)) {
    throw new Error(`${about}: expected an ArrayInterfaceError`, { cause: error });
  }
  expect(`${error.path}`, about).toMatch(PATHS[option] ?? new RegExp(`^${option}\\b`));
  expect(error.reason, about).toMatch(/^expected /);
  expect(error.message, about).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(error.message.length, about).toBeLessThanOrEqual(2000);
}

/** Options that are passed on under another name. */
const PATHS: Readonly<Record<string, RegExp>> = {
  producerStream: /^(producerStream|stream)\b/,
  byteStrides: /^(byteStrides|strides)\b/,
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function thrower(): never {
  throw new Error('a trap');
}
