import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { programFolder } from './support/programs.js';

// What an editor shows at a call. Methods that only implement an interface have no comment of their
// own, so that it is written once: the editor takes that of the interface.

const METHODS = ['empty', 'asArray', 'array', 'copy', 'zeros', 'arange', 'eye', 'concat', 'take', 'put', 'where', 'allClose'] as const; // biome-ignore format: one line
const OF_ARRAYS = ['slice', 'asTypedArray', 'toNested', 'item', 'toText', 'toJSON'] as const;
const BACKENDS = ['host', 'cuda', 'sycl'] as const;

const calls = BACKENDS.flatMap((backend) => [
  ...METHODS.map((method) => `${backend}.${method}`),
  ...OF_ARRAYS.map((method) => `${backend}.empty([1], 'int8').${method}`),
]);

let folder: string;
let file: string;
let service: ts.LanguageService;

beforeAll(() => {
  folder = programFolder('.hover');
  file = path.join(folder, 'calls.ts');
  const imports = BACKENDS.map((one) => `import { ${one} } from '@array-interface/${one}';\n`);
  writeFileSync(file, `${imports.join('')}${calls.join(';\n')};\n`);
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
  };
  service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptSnapshot: (name) => {
      const text = ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getScriptVersion: () => '1',
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    realpath: ts.sys.realpath ?? ((name) => name),
  });
});

afterAll(() => {
  service.dispose();
  rmSync(folder, { recursive: true });
});

test.each(calls)('%s has a comment and an example', (call) => {
  const at = readFileSync(file, 'utf8').indexOf(`${call};`) + call.length - 1;
  const shown = service.getQuickInfoAtPosition(file, at);
  const text = ts.displayPartsToString(shown?.documentation);
  expect(text.length, text).toBeGreaterThan(40);
  expect(shown?.tags?.map(({ name }) => name)).toContain('example');
});
