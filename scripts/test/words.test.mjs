import { expect, test } from 'vitest';
import { found, oldNames } from '../check/words.mjs';

test('old names are those in code font in the first column', () => {
  const table = '| old | new |\n|---|---|\n| `Old`, Rest | `New` |\n| place | device |\n';
  expect(oldNames(table)).toEqual(['Old']);
});

test('a name is found as a whole word, with its line', () => {
  expect(found('Olds\nconst a = new Old();\n', ['Old'])).toEqual([{ line: 2, name: 'Old' }]);
});
