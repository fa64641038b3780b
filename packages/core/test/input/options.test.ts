import { random } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkFlag, readOptions, unchecked } from '../../src/input/options.js';

const CHECKS = { one: unchecked, two: unchecked, three: unchecked, four: checkFlag };
const options = fc.record(
  { one: fc.nat(), two: fc.string(), three: fc.constant(undefined), four: fc.boolean() },
  { requiredKeys: [] },
);

test('options are read from the object itself and from what it inherits', () => {
  const property = fc.property(options, options, fc.nat(3), (own, inherited, kind) => {
    const parent = [Object.prototype, null, inherited, new Proxy(inherited, {})][kind] ?? null;
    const given = Object.assign(Object.create(parent), own);
    const names = Object.keys(CHECKS).filter((name) => given[name] !== undefined);
    const expected = Object.fromEntries(names.map((name) => [name, given[name]]));
    expect(readOptions(given, CHECKS)).toEqual(expected);
  });
  fc.assert(property, random(500));
});

test('an option of a class is checked, too', () => {
  class Options {
    get four(): unknown {
      return 4;
    }
  }
  expect(() => readOptions(new Options(), CHECKS)).toThrow(
    expect.objectContaining({ code: 'ERR_ARGUMENT', path: 'four' }),
  );
});
