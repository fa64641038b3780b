import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLANG_15, LLVM_SPIRV_15 } from './kernel-build/fake-tools.js';
import { type Result, run } from './support/run-command.js';

// Names and sources come from repositories that somebody has cloned, or from archives. The compilers are
// stand-ins that write down what they are given.
const recorded = path.join(import.meta.dirname, 'kernel-build', 'recorded');
const OWNED = 'globalThis.owned = 1';

const hasClang = ['clang-15', 'llvm-spirv-15'].every(
  (tool) => spawnSync(tool, ['--version']).status === 0,
);

/** Each case takes processes: a failure is not made smaller, and its seed repeats it. */
const manyTimes = (usual: number) => ({ ...random(usual), endOnFailure: true });

let cwd = '';
let tools = '';
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'hostile-names-'));
  tools = path.join(cwd, 'tools');
  mkdirSync(tools);
  fakeTool('clang-15', CLANG_15);
  fakeTool('llvm-spirv-15', LLVM_SPIRV_15);
  cpSync(recorded, path.join(tools, 'recorded'), { recursive: true });
});
afterEach(() => rmSync(cwd, { recursive: true }));

/** A tool that prints a version, records its arguments, and outputs what is in `recorded`. */
function fakeTool(name: string, version: string): void {
  const file = path.join(tools, name);
  writeFileSync(
    file,
    `#!/bin/sh
if [ "$1" = --version ]; then echo '${version}'; exit; fi
printf '%s\\0' "$@" >>"${tools}/arguments"
[ -e "${tools}/words" ] && /bin/cat "${tools}/words" >&2
while [ $# -gt 0 ]; do
  [ "$1" = -o ] && to=$2
  [ "$1" = -MF ] && rule=$2
  shift
done
[ -n "$rule" ] && echo 'spir.bc: x.cl' >"$rule"
made="${tools}/recorded/\${to##*/}"
if [ -e "$made" ]; then /bin/cp "$made" "$to"; else : >"$to"; fi
`,
  );
  chmodSync(file, 0o755);
}

/** What a terminal obeys, a compiler takes for options, and a module for code. */
const part = fc.oneof(
  fc.constantFrom(
    '\u001b]0;owned\u0007',
    '\u001b[2J',
    '\u009b31m',
    '\r',
    '\n',
    '\t',
    '\u007f',
    '\b',
  ),
  fc.constantFrom(
    '\u2028',
    '\u2029',
    '\u202e',
    '\u2066',
    '\u200b',
    '\ufeff',
    '\ud800',
    '\u{e0001}',
  ),
  fc.constantFrom('@', '-', '--', '-o', '@x', '-fplugin=x', '-Xclang', '--check', '=', ','),
  fc.constantFrom(
    "'",
    '"',
    '`',
    '\\',
    '${',
    '}',
    '*/',
    '/*',
    '//',
    '$(',
    '|',
    ';',
    '&',
    '#',
    '%s',
    '?',
  ),
  fc.constantFrom(
    `\${${OWNED}}`,
    `\`;${OWNED};\``,
    `*/${OWNED};/*`,
    `\n${OWNED};\n`,
    `';${OWNED};'`,
  ),
  fc.constantFrom(' ', '  ', '.', '..', 'x', 'ü', '日本', '__proto__', 'toString', 'x'.repeat(80)),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const word = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
/** What can be a file's name, and what no argument can hold left out. */
const name = word
  .map((text) => Buffer.from(text.replaceAll(/[/\0]/g, '')).toString())
  .map((text) => text.slice(0, 100))
  .filter((text) => !['', '.', '..'].includes(text) && Buffer.byteLength(text) < 240);
const argument = word.map((text) => text.replaceAll('\0', ''));

function expectClean({ status, stdout, stderr }: Result, what: unknown): void {
  const said = stdout + stderr;
  // All that `printable` escapes, but the ends of lines.
  expect(said, JSON.stringify(what)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  expect([0, 1, 2], said).toContain(status);
  expect(said).not.toMatch(/^ {4}at .*:\d+:\d+\)?$/m); // a stack: nobody expected it
}

/** The arguments that are no absolute paths. */
function optionsGiven(): string[] {
  const file = path.join(tools, 'arguments');
  if (!existsSync(file)) return [];
  const all = readFileSync(file, 'utf8').split('\0').slice(0, -1);
  return [...new Set(all.filter((one) => !path.isAbsolute(one)))].sort();
}

const build = (...args: string[]) =>
  run(['kernel', 'build', ...args], '', { cwd, env: { PATH: tools } });

/** As LLVM writes a name: bytes that could end or spoil it by their numbers. */
function inIr(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c
        ? `\\${byte.toString(16).toUpperCase().padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('');
}

let modules = 0;
/** What a module exports, as it runs. Throws for one that is none. */
async function exportsOf(text: string): Promise<string[]> {
  const file = path.join(cwd, `module-${modules++}.ts`);
  writeFileSync(file, text);
  return Object.keys(await import(/* @vite-ignore */ pathToFileURL(file).href)).sort();
}

describe('kernel build', () => {
  test('of a source with any name', async () => {
    writeFileSync(path.join(cwd, 'plain.cl'), '');
    expect(await build('plain.cl')).toMatchObject({ status: 0 });
    const usual = optionsGiven();
    expect(usual).toContain('-cl-std=CL1.2');
    const property = fc.asyncProperty(name, name, async (folder, file) => {
      const source = path.join(folder, `${file}.cl`);
      mkdirSync(path.join(cwd, folder), { recursive: true });
      writeFileSync(path.join(cwd, source), '');
      const made = path.join(cwd, folder, `${file}.kernel.ts`);
      const answer = await build('--', source);
      expectClean(answer, source);
      expect(optionsGiven()).toEqual(usual);
      if (answer.status === 0) {
        expect(await exportsOf(readFileSync(made, 'utf8'))).toEqual(['clear', 'scale']);
      } else expect(existsSync(made)).toBe(false);
      expect(globalThis).not.toHaveProperty('owned');
    });
    await fc.assert(property, manyTimes(20));
  });

  test('of kernels with any name, by a compiler that says anything', async () => {
    writeFileSync(path.join(cwd, 'x.cl'), '');
    const spoilt = fc.constantFrom<[file: string, from: string]>(
      ['spir.ll', '@clear('],
      ['spir.ll', '!"count"'],
      ['spir.ll', '!"float*"'],
      ['spir.ll', '!"float"'],
      ['ptx', '.visible'],
      ['spv', 'clear'],
    );
    const property = fc.asyncProperty(word, spoilt, argument, async (text, [file, from], words) => {
      rmSync(path.join(cwd, 'x.kernel.ts'), { force: true });
      cpSync(recorded, path.join(tools, 'recorded'), { recursive: true });
      const before = readFileSync(path.join(recorded, file), 'latin1');
      const quoted = from.startsWith('!')
        ? `!"${inIr(text)}"`
        : from.startsWith('@')
          ? `@"${inIr(text)}"(`
          : text;
      const after = before.replace(from, () => Buffer.from(quoted).toString('latin1'));
      writeFileSync(path.join(tools, 'recorded', file), after, 'latin1');
      writeFileSync(path.join(tools, 'words'), words);
      const answer = await build('x.cl');
      expectClean(answer, [text, file, from, words]);
      if (answer.status === 0) {
        const names = await exportsOf(readFileSync(path.join(cwd, 'x.kernel.ts'), 'utf8'));
        expect(names).toHaveLength(2);
        expect(names).toContain('scale');
      }
      expect(globalThis).not.toHaveProperty('owned');
    });
    await fc.assert(property, manyTimes(20));
  });
});

// Skipped if there is no such compiler, which `npm test` reports.
test.runIf(hasClang)('the real compiler takes no name for an option', async () => {
  const source = `kernel void k(global float* x) { x[get_global_id(0)] = N; }`;
  const property = fc.asyncProperty(name, name, async (folder, header) => {
    mkdirSync(path.join(cwd, folder), { recursive: true });
    const at = path.join(folder, 'x.cl');
    // What C cannot name in an #include, or clang takes for a separator.
    const included = header.replaceAll(/[\\"\p{C}\p{Zl}\p{Zp}]/gu, '_');
    writeFileSync(path.join(cwd, at), `#include "${included}"\n${source}`);
    writeFileSync(path.join(cwd, folder, included), '#define N 1\n');
    const answer = await run(['kernel', 'build', '--out', 'real.ts', '--', at], '', { cwd });
    expectClean(answer, [folder, included]);
    const isRefused = /[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(folder);
    expect(answer.status, answer.stderr).toBe(isRefused ? 1 : 0);
    if (answer.status === 0) {
      const text = readFileSync(path.join(cwd, 'real.ts'), 'utf8');
      expect(await exportsOf(text)).toEqual(['k']);
    }
  });
  await fc.assert(property, manyTimes(6));
});

test.runIf(hasClang)(
  'the real compiler passes on nothing of a source that says anything',
  async () => {
    const labels = fc.constantFrom('', 'label');
    const property = fc.asyncProperty(word, labels, async (text, label) => {
      const line = text.replaceAll(/[\n\r]/g, ' ');
      const quoted = `"${line.replaceAll(/[\\"]/g, '\\$&')}"`;
      const asm = label === '' ? '' : `kernel void k(global char* x) __asm(${quoted});\n`;
      const source = `/* ${text} */\n#warning ${line}\n#pragma message(${quoted})\nconstant char t[] = ${quoted};\n`;
      const kernel = 'kernel void k(global char* x) { x[0] = t[x[1] & 1]; }';
      writeFileSync(path.join(cwd, 'x.cl'), `${source}${asm}${kernel}\n`);
      rmSync(path.join(cwd, 'x.kernel.ts'), { force: true });
      const answer = await run(['kernel', 'build', 'x.cl'], '', { cwd });
      expectClean(answer, [text, label]);
      if (answer.status === 0) {
        const names = await exportsOf(readFileSync(path.join(cwd, 'x.kernel.ts'), 'utf8'));
        expect(names).toHaveLength(1);
        if (label === '') expect(names).toEqual(['k']);
      }
      expect(globalThis).not.toHaveProperty('owned');
    });
    await fc.assert(property, manyTimes(6));
  },
);

test('whatever the command is given, it prints nothing raw', async () => {
  const line = fc.oneof(
    fc.tuple(argument),
    fc.tuple(fc.constantFrom('inspect', 'convert', 'kernel', 'setup', 'doctor', 'help'), argument),
    fc.tuple(fc.constant('inspect'), fc.constant('--'), argument),
    fc.tuple(fc.constant('convert'), fc.constantFrom('--to', '--version', '--syclobj'), argument),
    fc.tuple(fc.constant('explain-copy'), argument, argument, argument),
    fc.tuple(
      fc.constant('explain-copy'),
      fc.constant('4'),
      fc.constant('C'),
      fc.constant('C'),
      fc.constantFrom('--to', '--threads', '--backend'),
      argument,
    ),
    fc.tuple(
      fc.constant('kernel'),
      fc.constant('build'),
      fc.constant('x.cl'),
      fc.constantFrom('--sm', '--out', '--clang', '--llvm-spirv'),
      argument,
    ),
  );
  const property = fc.asyncProperty(line, argument, async (args, input) => {
    // No setup: it would fetch a runtime.
    if (args[0] === 'setup' && /^s|^-/.test(args[1] ?? '')) return;
    expectClean(await run(args, input, { cwd, env: { PATH: tools } }), args);
  });
  await fc.assert(property, manyTimes(30));
});
