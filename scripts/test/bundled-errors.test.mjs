import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { root } from '../run.mjs';

// The stack of an error begins at the caller, which is known by the files of the frames. In a bundle
// all code is in one file, and no frame of the program may be taken for one of core.

const folder = mkdtempSync(path.join(tmpdir(), 'array-interface-bundled-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = `
  import { flip, fromProducer } from './core/dist/index.js';
  function inner() { flip(fromProducer(new Float32Array(2)), 7); }
  function user() { inner(); }
  try { user(); } catch (error) { console.log(error.stack); }`;

test.each([
  ['esm', false, 'program.mjs'],
  ['esm', true, 'program.mjs'],
  ['cjs', false, 'program.cjs'],
  ['cjs', true, 'packages/core/dist/index.cjs'], // a folder named as ours
])('%s, minified %s, in %s: has all frames of the program', async (format, minify, name) => {
  const file = path.join(folder, name);
  await build({
    stdin: { contents: PROGRAM, resolveDir: path.join(root, 'packages') },
    outfile: file,
    bundle: true,
    platform: 'node',
    keepNames: true,
    logLevel: 'error',
    format,
    minify,
  });
  const stack = execFileSync(process.execPath, [file], { encoding: 'utf8' });
  expect(stack).toMatch(/^ArrayInterfaceError: \[ERR_ARGUMENT\] axes\[0\]: /);
  expect(stack).toMatch(/\n {4}at inner .*\n {4}at user /);
});
