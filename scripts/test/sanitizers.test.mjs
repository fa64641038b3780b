import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../run.mjs';
import {
  LEFT_OUT,
  NOT_BY_NAME,
  NOT_WITH_THREADS,
  REPEATED,
} from '../suites/sanitizers/left-out.mjs';
import { listFiles } from '../workspace.mjs';

const tests = listFiles().filter((file) =>
  /^(packages\/(\w+\/test|contract\/src)|testing\/lifetimes\/src)\/.*\.ts$/.test(file),
);
const files = tests.map((file) => path.basename(file, '.test.ts'));
const text = tests.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');

// A renamed test would run again, and hit the limit that it was left out for.
describe('what the sanitizers leave out is there', () => {
  test.each([...Object.values(LEFT_OUT).flat(), ...NOT_WITH_THREADS])('%s.test.ts', (file) => {
    expect(files).toContain(file);
  });

  test.each([...Object.values(NOT_BY_NAME).flat(), ...REPEATED])('a test named "%s"', (name) => {
    const titles = [name, name.replace('fork', '%s')]; // of a table of processes
    expect(titles.some((title) => text.includes(title))).toBe(true);
  });
});
