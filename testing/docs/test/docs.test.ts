import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inFunction } from './support/in-function.js';
import { type Block, blocksOf, fencesOf, readPages } from './support/pages.js';
import { compile, fileOf, programFolder, promises, run } from './support/programs.js';
import { runOften } from './support/run-often.js';

const pages = readPages();
/** A part of the example's files, which writing-a-backend.test.ts compares. */
const isPartOfBackend = (place: string, code: string) =>
  place.startsWith('docs/writing-a-backend.md') &&
  !code.includes("from '@array-interface/example-backend'");
const programs = pages
  .filter(({ page }) => page !== 'docs/ffi.md') // npm run test:ffi runs them, each by its own runtime
  .flatMap(blocksOf)
  .filter(({ language }) => language === 'js' || language === 'ts')
  .filter(({ place, code }) => !isPartOfBackend(place, code));
/** Those that are run here. That of the contract is a test file, which contract.test.ts has vitest run. */
const ran = programs.filter(({ place }) => !place.startsWith('packages/contract/'));
/** How many each page has: one whose fence is no longer that of a program is missed where it stood. */
const COUNTS = {
  'README.md': 1,
  'docs/arrays.md': 2,
  'docs/computing.md': 9,
  'docs/errors.md': 3,
  'docs/sharing.md': 3,
  'docs/python.md': 2,
  'docs/synchronisation.md': 4,
  'docs/writing-a-backend.md': 4,
  'docs/writing-a-library.md': 1,
  'docs/your-addon.md': 2,
  'examples/foreign-addon/README.md': 1,
  'packages/contract/README.md': 1,
  'packages/core/README.md': 1,
  'packages/cuda-simulator/README.md': 1,
  'packages/cuda/README.md': 1,
  'packages/expressions/README.md': 3,
  'packages/host/README.md': 2,
  'packages/python/README.md': 12,
  'packages/sycl/README.md': 2,
};
/**
 * Programs are run, those in C compiled, commands looked up. `npm run test:peers` runs Python; nobody looks at a
 * block of another language.
 */
const FENCES = [
  '```c',
  '```cmake',
  '```cpp',
  '```js',
  '```ts',
  '```sh',
  '```python',
  '```mermaid',
  '```text',
  '```diff',
];

/** The same program as a function, so that it can be called again and again. */
const functionOf = (block: Block) =>
  fileOf(folder, block).replace(/\.(mjs|ts)$/, '-in-function.$1');

let folder: string;
let errors: string[];

beforeAll(() => {
  folder = programFolder('.blocks');
  for (const block of programs) {
    writeFileSync(fileOf(folder, block), block.code);
    writeFileSync(functionOf(block), inFunction(block.code));
  }
  const typed = programs.filter(({ language }) => language === 'ts');
  const files = typed.flatMap((block) => [fileOf(folder, block), functionOf(block)]);
  errors = compile(folder, files, { noUncheckedIndexedAccess: false }); // as most readers have it
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('programs', () => {
  test.each(pages)('of $page are in fences of a known language', (page) => {
    const unknown = fencesOf(page).filter(({ code }) => !FENCES.includes(code));
    expect(unknown).toEqual([]);
  });

  test('are found, the right number on each page', () => {
    const found: Record<string, number> = {};
    for (const { place } of programs) {
      const page = place.replace(/:.*/, '');
      found[page] = (found[page] ?? 0) + 1;
    }
    expect(found).toEqual(COUNTS);
  });

  test('in TypeScript compile without an error', () => {
    expect(errors).toEqual([]);
  });

  test.each(ran)('of $place run and print what they promise', (block) => {
    expect(run(fileOf(folder, block))).toEqual(promises(block.code));
  });

  // What is only given back by garbage collection comes too late for a program that runs for long: a run in
  // which nothing was collected leaves nothing. One in which V8 did collect proves less, and is made again. V8 is
  // told of the bytes of what was seen in place, which a thread may still have the address of.
  test.each(ran)('of $place leak nothing, however often they run', async (block) => {
    const startsProcess = /fork\(|new Worker\(/.test(block.code);
    const isSeen = block.code.includes('.asTypedArray(');
    const file = functionOf(block).replace(/\.ts$/, '.js');
    for (let tries = 1; ; tries++) {
      const { collections, left } = await runOften(file, startsProcess ? 3 : 1000, folder, isSeen);
      expect(left).toEqual({});
      if (isSeen || collections === 0) break;
      expect(tries, 'runs that say nothing, since V8 collected garbage in each').toBeLessThan(5);
    }
  });
});
