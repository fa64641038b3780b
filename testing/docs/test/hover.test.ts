import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LanguageServer } from './support/language-server.js';
import { programFolder } from './support/programs.js';

// What an editor shows at a call. The comments of functions of arrays are written once, on the
// interface, and the classes of backends have its types: TypeScript 7 shows nothing for a method of a
// class without a comment of its own.

const METHODS = ['empty', 'asArray', 'array', 'copy', 'zeros', 'arange', 'eye', 'concat', 'take', 'put', 'where', 'allClose'] as const; // biome-ignore format: one line
const OF_ARRAYS = ['slice', 'asTypedArray', 'toNested', 'item', 'toText', 'toJSON'] as const;
const BACKENDS = ['host', 'cuda', 'sycl'] as const;

const calls = BACKENDS.flatMap((backend) => [
  ...METHODS.map((method) => `${backend}.${method}`),
  ...OF_ARRAYS.map((method) => `${backend}.empty([1], 'int8').${method}`),
]);

let folder: string;
let server: LanguageServer;

beforeAll(async () => {
  folder = programFolder('.hover');
  const imports = BACKENDS.map((one) => `import { ${one} } from '@array-interface/${one}'`);
  const text = [...imports, ...calls].map((line) => `${line};\n`).join('');
  const file = path.join(folder, 'calls.ts');
  writeFileSync(file, text);
  const compilerOptions = { module: 'nodenext', target: 'es2023', strict: true };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  server = new LanguageServer(file);
  await server.open(text);
});

afterAll(() => {
  server[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

test.each(calls)('%s has a comment and an example', async (call) => {
  const line = BACKENDS.length + calls.indexOf(call);
  const shown = await server.hover(line, call.length - 1);
  expect(shown).toMatch(/\n```\n\S.{20}/);
  expect(shown).toContain('@example');
});
