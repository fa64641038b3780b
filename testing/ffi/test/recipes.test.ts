import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, promises, readSections } from './page.js';

/** The paths of the runtimes, other than this Node, that the recipes run on; npm run test:ffi sets it. */
const RUNTIMES = JSON.parse(process.env['FFI_RUNTIMES'] ?? 'null') as Record<string, string>;
const sections = readSections();
const tsc = [
  path.join(import.meta.dirname, '..', 'node_modules', '.bin', 'tsc'),
  ...['--strict', '--ignoreConfig', '--module', 'nodenext', '--target', 'es2022'],
  ...['--lib', 'es2023,esnext.disposable', '--types', 'node'],
].join(' ');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'recipes-'));
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  const packages = path.join(import.meta.dirname, '..', 'node_modules');
  symlinkSync(packages, path.join(folder, 'node_modules'));
  const side = sections.get('The C side');
  writeFileSync(path.join(folder, 'tensors.c'), codeOf(side, 'c'));
  const [, compile] = codeOf(side, 'sh').split('\n');
  expect(compile).toMatch(/^cc /);
  const said = shell(`${compile} -Wextra -Werror -pedantic`, process.execPath);
  expect(said).toBe('');
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a line of the page, whose first command is the file of a runtime. */
function shell(line: string, ...runtimes: readonly string[]): string {
  const bin = mkdtempSync(path.join(folder, 'bin-'));
  for (const file of runtimes) symlinkSync(file, path.join(bin, path.basename(file)));
  const PATH = `${bin}${path.delimiter}${process.env['PATH']}`;
  return execFileSync('sh', ['-ec', line], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH, NO_COLOR: '1', NODE_OPTIONS: '' },
  });
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

test('every section with a program is run', () => {
  const programs = [...sections].filter(([, blocks]) =>
    blocks.some((one) => one.language === 'ts'),
  );
  expect(programs.map(([heading]) => heading)).toEqual(['koffi', "Node's own", 'Bun', 'Deno']);
});

describe('what the page promises is printed by', () => {
  test('koffi, on this Node', () => {
    const code = codeOf(sections.get('koffi'), 'ts');
    writeFileSync(path.join(folder, 'koffi.ts'), code);
    expect(shell(`${tsc} koffi.ts`)).toBe('');
    expect(lines(shell('node koffi.js', process.execPath))).toEqual(promises(code));
  });

  test.each([
    ["Node's own", 'node'],
    ['Bun', 'bun'],
    ['Deno', 'deno'],
  ])('%s', (heading, runtime) => {
    const section = sections.get(heading);
    const code = codeOf(section, 'ts');
    const command = codeOf(section, 'sh').trim();
    expect(command).toMatch(new RegExp(`^${runtime} .* sum\\.ts$`));
    writeFileSync(path.join(folder, 'sum.ts'), code);
    const printed = lines(shell(command, RUNTIMES[runtime] as string));
    expect(printed).toEqual(promises(code));
    expect(printed).toHaveLength(3);
  });
});
