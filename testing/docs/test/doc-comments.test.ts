import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readDocComments } from './support/doc-comments.js';
import { LanguageServer } from './support/language-server.js';
import { type Block, blocksOf, fencesOf, type Page, root } from './support/pages.js';
import { compile, fileOf, programFolder, promises, run } from './support/programs.js';

const sources = readDocComments().filter(({ text }) => text.includes('@example'));
const examples = sources.flatMap(blocksOf);
/** Those that run as they are: they declare nothing that the reader has, and start no program. */
const ran = examples.filter(
  ({ place, code }) =>
    !/^declare /m.test(code) && !/^packages\/(?:contract|cuda-simulator)\//.test(place),
);

let folder: string;
let errors: string[];

beforeAll(() => {
  folder = programFolder('.examples');
  for (const example of examples) writeFileSync(fileOf(folder, example), example.code);
  const printed = compile(
    folder,
    examples.map((example) => fileOf(folder, example)),
  );
  errors = printed.map(inSource);
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Puts its place in front of each for titles; vitest shortens what it formats as `$place`. */
function titled<T extends Page | Block>(all: readonly T[]): [place: string, one: T][] {
  return all.map((one) => ['page' in one ? one.page : one.place, one]);
}

/** An error of the compiler, with the line of the source in place of that of the program. */
function inSource(error: string): string {
  const [start, file, line, column] = /^([^\s(]+)\((\d+),(\d+)\)/.exec(error) ?? [];
  const example = examples.find((one) => path.basename(fileOf(folder, one)) === file);
  if (start === undefined || example === undefined) return error;
  return `${lineOf(example, Number(line))}:${column}${error.slice(start.length)}`;
}

/** Where a line of an example stands. Its place is that of its fence. */
function lineOf({ place }: Block, line: number): string {
  return place.replace(/\d+$/, (fence) => `${Number(fence) + line}`);
}

describe('examples of doc comments', () => {
  test.each(titled(sources))('of %s are each in one fence of TypeScript', (_, source) => {
    const count = source.text.match(/^@example\n```ts\n/gm)?.length;
    expect(source.text.match(/@example/g)).toHaveLength(count ?? 0);
    expect(fencesOf(source)).toHaveLength(count ?? 0);
  });

  test('compile, each as its own module', () => {
    expect(examples.length).toBeGreaterThan(100);
    const global = examples.filter(({ code }) => !/^import /m.test(code));
    expect(global.map(({ place }) => place)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test.each(titled(ran))('of %s run and print what they promise', (_, example) => {
    const printed = run(fileOf(folder, example));
    const promised = promises(example.code);
    if (promised.length > 0) expect(printed).toEqual(promised);
  });
});

// What an editor shows stands in the declarations that the package ships.
describe('hover help of arrays and backends', () => {
  const file = 'packages/core/dist/backend/interface/array.d.ts';
  const text = readFileSync(path.join(root, file), 'utf8');
  const documented = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {4}(?:abstract )?(\w+)(?:<[^(\n]*>)?\(/g;
  const comments = new Map<string, string[]>();
  for (const [, comment = '', name = ''] of text.matchAll(documented)) {
    const said = comment.replace(/\n\s*\*/g, '').trim();
    comments.set(name, [...(comments.get(name) ?? []), said]);
  }
  /** Their first line says all. */
  const withoutExample = ['dispose', 'toString'];

  test('each method has an example', () => {
    expect(comments.size).toBeGreaterThan(40);
    const lacking = [...comments].filter(([, said]) => !said.some((one) => /@example/.test(one)));
    expect(lacking.map(([name]) => name).sort()).toEqual(withoutExample);
  });

  test('each says itself what it does, and no other page must be looked up', () => {
    for (const said of [...comments.values()].flat()) {
      expect(said).toMatch(/^[A-Z]\w+ (?:\S+ ){3,}/);
      expect(said).not.toMatch(/^(?:See|As) /);
    }
  });
});

// The comments of functions of arrays are written once, on the interface, and the classes of backends
// have its types: TypeScript 7 shows nothing for a method of a class without a comment of its own.
describe('what an editor shows at a call', () => {
  const BACKENDS = ['host', 'cuda', 'sycl'] as const;
  const METHODS = [
    'empty',
    'asArray',
    'array',
    'copy',
    'zeros',
    'arange',
    'eye',
    'concat',
    'take',
    'put',
    'where',
    'allClose',
  ] as const;
  const OF_ARRAYS = ['slice', 'asTypedArray', 'toNested', 'item', 'toText', 'toJSON'] as const;
  const calls = BACKENDS.flatMap((backend) => [
    ...METHODS.map((method) => `${backend}.${method}`),
    ...OF_ARRAYS.map((method) => `${backend}.empty([1], 'int8').${method}`),
  ]);
  let server: LanguageServer;

  beforeAll(async () => {
    const imports = BACKENDS.map((one) => `import { ${one} } from '@array-interface/${one}'`);
    const text = [...imports, ...calls].map((line) => `${line};\n`).join('');
    const file = path.join(folder, 'calls.ts');
    writeFileSync(file, text);
    server = new LanguageServer(file);
    await server.open(text);
  });

  afterAll(() => server[Symbol.dispose]());

  test.each(calls)('%s: a comment and an example', async (call) => {
    const line = BACKENDS.length + calls.indexOf(call);
    const shown = await server.hover(line, call.length - 1);
    expect(shown).toMatch(/\n```\n\S.{20}/);
    expect(shown).toContain('@example');
  });
});
