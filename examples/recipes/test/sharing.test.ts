import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fromSyclUsmArrayInterface } from '@array-interface/core';
import { cuda } from '@array-interface/cuda';
import { expect, test } from 'vitest';
import { elementsOf, usmDict } from '../src/dicts.js';

const fileOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

test.each(['threads', 'processes'])('%s: prints what its comment says', async (name) => {
  const code = readFileSync(fileOf(`src/${name}.ts`), 'utf8');
  const [, said] = /console\.log\(.*\); \/\/ (.*)/.exec(code) ?? [];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    fileOf(`dist/${name}.js`),
  ]);
  expect({ stdout, stderr }).toEqual({ stdout: `${said}\n`, stderr: '' });
});

test('dicts: an array of another library is read by its dict alone', async () => {
  using theirs = await cuda.array(
    [
      [1, 2],
      [3, 4],
    ],
    { dtype: 'int32' },
  );
  const producer = { __cuda_array_interface__: theirs.transpose().__cuda_array_interface__ };
  expect([...(await elementsOf(producer))]).toEqual([1, 3, 2, 4]);
});

test('dicts: a CUDA array has a dict for SYCL once its work has ended', async () => {
  using array = cuda.empty([2, 3], 'float32');
  void cuda.fill(array, 1); // pending
  const dict = await usmDict(array.flip(1));
  expect(dict).toMatchObject({ shape: [2, 3], typestr: '<f4', strides: [3, -1], syclobj: 'gpu' });
  expect(fromSyclUsmArrayInterface(dict).pointer).toBe(array.flip(1).pointer);
});

test('no recipe has a cast, an assertion or a makeDescriptor', () => {
  const files = readdirSync(fileOf('src')).filter((name) => /(?<!\.kernel)\.ts$/.test(name));
  expect(files.length).toBeGreaterThan(8);
  for (const name of files) {
    const code = readFileSync(fileOf(`src/${name}`), 'utf8');
    const statements = code
      .replace(/^import [^;]*;$/gm, '')
      .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    expect(statements, name).not.toMatch(
      /\bas\s+\w|makeDescriptor|\w!\s*[.;,)[]|<any>|\bany\b|@ts-/,
    );
  }
});
