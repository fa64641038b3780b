import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

// npm run test:sanitizers runs one of these at a time, as it runs the tests of an addon, and
// fails unless the mistake is reported.
const addon = join(process.env.ARRAY_INTERFACE_ADDON_DIR, 'planted.node');

test('overflow', () => {
  expect(createRequire(import.meta.url)(addon).overflow()).toBeTypeOf('number');
});

test('undefined', () => {
  expect(createRequire(import.meta.url)(addon).undefined()).toBeTypeOf('number');
});

test('leak', async () => {
  await promisify(execFile)(process.execPath, ['-p', `require(${JSON.stringify(addon)}).leak()`]);
});

test('race', () => {
  expect(createRequire(import.meta.url)(addon).race()).toBeTypeOf('number');
});
