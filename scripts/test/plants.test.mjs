import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../run.mjs';
import { planted, readPlants } from '../suites/gate/plants.mjs';

test('each mistake has its own id, a family, tests, and lines that the sources have', () => {
  const plants = readPlants();
  expect(plants.length).toBeGreaterThan(180);
  expect(new Set(plants.map(({ id }) => id)).size).toBe(plants.length);
  for (const { id, family, tests, changes } of plants) {
    expect([id, family, tests.length > 0, changes.length > 0]).toEqual([
      expect.stringMatching(/^[A-Z]+\d+$/),
      expect.stringMatching(/^[a-z-]+$/),
      ...[true, true],
    ]);
    for (const change of changes) {
      expect(change.planted, id).not.toBe(change.old);
      const text = readFileSync(path.join(root, change.file), 'utf8');
      expect(() => planted(text, change), id).not.toThrow();
    }
  }
});

test('lines that do not occur exactly once are refused', () => {
  const change = { file: 'a.ts', old: 'two\n', planted: 'TWO\n' };
  expect(planted('one\ntwo\nthree\n', change)).toBe('one\nTWO\nthree\n');
  expect(planted('two\n', { ...change, planted: '' })).toBe('');
  expect(() => planted('one two\n', change)).toThrow('a.ts: expected these lines once, got none');
  expect(() => planted('two\none\ntwo\n', change)).toThrow('got 2 of them');
});
