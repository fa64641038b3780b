import { describe, expect, it } from 'vitest';
import * as compatibility from '../../src/compatibility/index.js';
import * as dlpack from '../../src/dlpack/index.js';
import * as core from '../../src/index.js';
import { ArrayInterfaceError } from '../../src/index.js';
import * as kernel from '../../src/kernel/index.js';
import * as overlap from '../../src/overlap/index.js';
import * as serialize from '../../src/serialize/index.js';
import { STRANGE } from '../support/hostile-values.js';
import { orRefusal } from '../support/promises.js';

const array = core.makeDescriptor({ pointer: 4096n, shape: [2, 3], dtype: '<f4' });

/** Every function that core exports. Classes are no functions to call. */
const FUNCTIONS = Object.entries<unknown>({
  ...core,
  ...compatibility,
  ...dlpack,
  ...kernel,
  ...overlap,
  ...serialize,
}).filter(
  (entry): entry is [string, Call] =>
    typeof entry[1] === 'function' && !/^class\b/.test(String(entry[1])),
);

type Call = (...values: readonly unknown[]) => unknown;

/** What forgotten awaits and other libraries put in the place of an array or of an argument. */
const MISTAKES = [
  Promise.resolve(array),
  [1, 2],
  new Float32Array(2),
  { data: new Float32Array(2), shape: [2] },
  { shape: [2], typestr: '<f4', data: [4096, false], version: 3 },
];

describe('every error of every function', () => {
  it('of which there are some', () => {
    expect(FUNCTIONS.length).toBeGreaterThan(30);
  });

  it.each(FUNCTIONS)('%s: begins with code and path, and at the caller', (_name, call) => {
    const seen = new Set<string>(); // to format a stack takes much longer than to make it
    for (const value of [...STRANGE, ...MISTAKES, null, undefined, 5, 'x', 5n]) {
      for (const values of [[value], [array, value], [array, array, value]]) {
        const error = orRefusal(() => call(...values)); // checks the text
        if (!(error instanceof ArrayInterfaceError) || seen.has(error.message)) continue;
        seen.add(error.message);
        const [, frame] = /\n {4}at (.*)/.exec(error.stack as string) ?? [];
        expect(frame, error.stack).toMatch(/packages\/core\/test\//);
      }
    }
  });
});
