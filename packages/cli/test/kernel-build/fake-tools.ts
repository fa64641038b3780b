import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const recorded = fileURLToPath(new URL('recorded', import.meta.url));

/** Replaces clang and llvm-spirv: outputs what the real ones did for scale.cl. */
const program = (version: string, spoilt: string) => `#!${process.execPath}
const { appendFileSync, copyFileSync, existsSync, readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const args = process.argv.slice(2);
const after = (flag) => args[args.indexOf(flag) + 1];
if (args[0] === '--version') {
  console.log(${JSON.stringify(version)});
  process.exit();
}
appendFileSync(__filename + '.log', JSON.stringify(args) + '\\n');
// As the real ones do: such a path is a file of more arguments, or an option.
if (args.some((one) => one.startsWith('@') || one.startsWith('-fplugin'))) {
  console.error('took the source for options');
  process.exit(3);
}
const source = args.find((one) => one.endsWith('.cl'));
if (source && readFileSync(source, 'utf8').includes('wrong')) {
  console.error(source + ":1:7: error: unknown type name 'wrong'");
  process.exit(1);
}
if (source && readFileSync(source, 'utf8').includes('odd')) {
  const [, mark = ''] = /odd( .*)/.exec(readFileSync(source, 'utf8')) ?? [];
  console.error(source + ':2:1: warning: odd' + mark);
}
if (args.includes('-MF')) {
  const named = [...readFileSync(source, 'utf8').matchAll(/#include "(.*)"/g)];
  const files = named.map(([, file]) => ' \\\\\\n  ' + path.join(path.dirname(source), file));
  writeFileSync(after('-MF'), 'spir.bc: ' + source + files.join('') + '\\n');
}
const to = after('-o');
const made = path.join(${JSON.stringify(recorded)}, path.basename(to));
if (existsSync(made)) copyFileSync(made, to);
else writeFileSync(to, '');
if (path.basename(to) === 'spir.ll') {
  const text = readFileSync(to, 'latin1').replaceAll('/recorded', path.dirname(source));
  writeFileSync(to, text, 'latin1');
}
const [file, from, by] = ${spoilt};
if (path.basename(to) === file) {
  const text = readFileSync(to, 'latin1');
  if (from !== '*' && !text.includes(from)) throw new Error('nothing to spoil in ' + file);
  writeFileSync(to, from === '*' ? by : text.replace(from, by), 'latin1');
}
`;

/** Writes a tool that says a version; one text in one of its outputs may be another. */
export function fakeTool(
  folder: string,
  name: string,
  version: string,
  spoilt: readonly [file: string, from: string, by: string] = ['', '', ''],
): void {
  const file = path.join(folder, name);
  writeFileSync(file, program(version, JSON.stringify(spoilt)));
  chmodSync(file, 0o755);
}

/** The arguments of each call of a tool but those that ask for its version. */
export function argumentsOf(folder: string, name: string): string[][] {
  const lines = readFileSync(path.join(folder, `${name}.log`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}

export const CLANG_15 = 'Debian clang version 15.0.6\nTarget: x86_64-pc-linux-gnu';
export const LLVM_SPIRV_15 = 'Debian LLVM version 15.0.6\n  Optimized build.';
