import { expect, test } from 'vitest';
import { entryLines } from '../../src/input/entry-lines.js';

test.each([
  ['[]', []],
  ['[\n]', []],
  ['[1,2]', [0, 0]],
  ['\n[1\n,\n"a,b"]', [1, 3]],
  ['[[1,\n2],\n{"a": [\n{}], "b": 2}, -1.5e3\n]', [0, 2, 3]],
  ['["]\\"[",\n"\\\\",\ntrue]', [0, 1, 2]],
])('the entries of %j begin on lines %j', (text, lines) => {
  expect(entryLines(text)).toEqual(lines);
  expect(lines).toHaveLength((JSON.parse(text) as unknown[]).length);
});
