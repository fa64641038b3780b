import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { printable } from '@array-interface/core';
import { Failure, Failures } from '../output/failure.js';
import { printableLines, writeLine } from '../output/write-line.js';
import { type CompileOptions, compile } from './compile.js';
import { type Definitions, definitionLines } from './definitions.js';
import { moduleText } from './module-text.js';
import { findToolchain, type NamedTools, type Toolchain } from './toolchain.js';

export interface KernelBuildOptions extends NamedTools, CompileOptions {
  /** The module to write. Default: beside the source, `blur.kernel.ts` for `blur.cl`. */
  readonly out?: string;
  /** True to write plain PTX and SPIR-V too. */
  readonly plain?: true;
  /** True to compare with the existing files, and write nothing. */
  readonly check?: true;
}

/**
 * Makes a TypeScript module from an OpenCL C file, and reports what it wrote. With `check`, reports
 * whether the existing module is what it would write. Returns whether everything succeeded. Throws
 * if there is no such file.
 */
export async function kernelBuild(source: string, options: KernelBuildOptions): Promise<boolean> {
  if (!existsSync(source)) throw new Error(`${source}: expected a file, got nothing of that name`);
  try {
    return await built(source, options);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    for (const one of error instanceof Failures ? error.all : [error]) {
      await writeLine(printable(`error: ${one.place ?? source}: ${one.message}`), 'stderr');
      if (one.remedy === null) continue;
      await writeLine(printableLines(`to fix it: ${one.remedy}`), 'stderr');
    }
    return false;
  }
}

async function built(source: string, options: KernelBuildOptions): Promise<boolean> {
  const whole = path.resolve(source);
  // Neither clang's make rule nor a comment in the module could contain it.
  if (printable(whole) !== whole) {
    throw new Failure('expected a path that can be printed, got one with control characters');
  }
  const tools = findToolchain(options);
  const compiled = compile(source, tools, options);
  const origin = originOf(source, compiled.includes, tools, options);
  const text = moduleText(path.basename(source), origin, compiled);
  const stem = source.replace(/\.[^./\\]*$/, '');
  const files: [string, string | Buffer][] = [[options.out ?? `${stem}.kernel.ts`, text]];
  if (options.plain) files.push([`${stem}.ptx`, compiled.ptx], [`${stem}.spv`, compiled.spirv]);
  if (options.check) return compared(files, tools);
  write(files);
  await writeLine(printable(`wrote ${files.map(([file]) => file).join(', ')}`));
  return true;
}

/** Writes all files or none. Follows no link, since a repository's link may lead anywhere. */
function write(files: readonly [string, string | Buffer][]): void {
  const link = files.find(([file]) => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink());
  if (link !== undefined) {
    throw new Failure(
      `expected ${link[0]} to be a file, or not there, got a symbolic link`,
      'remove the link, or name another file with --out',
    );
  }
  const { O_CREAT, O_NOFOLLOW = 0, O_TRUNC, O_WRONLY } = constants;
  for (const [file, content] of files) {
    const opened = openSync(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    try {
      writeFileSync(opened, content);
    } finally {
      closeSync(opened);
    }
  }
}

/** The first lines of a module: its source, and the tools that built it. */
function originOf(
  source: string,
  includes: readonly string[],
  tools: Toolchain,
  definitions: Definitions,
): string[] {
  const folder = path.dirname(source);
  const named = (file: string) => printable(path.relative(folder, file).replaceAll(path.sep, '/'));
  const files = [source, ...[...includes].sort((a, b) => (named(a) < named(b) ? -1 : 1))];
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) {
    throw new Failure(
      `expected ${missing}, which clang says that the source includes, got nothing of that name`,
      'rename the header or its folders without \\, which clang writes as /',
    );
  }
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return [
    `Made from ${named(source)} by array-interface kernel build; do not edit.`,
    withTools(tools),
    ...definitionLines(definitions),
    `SHA-256 of ${files.map(named).join(', ')}: ${hash.digest('hex')}`,
  ];
}

function withTools({ clang, llvmSpirv }: Toolchain): string {
  return `With clang ${clang.version} and llvm-spirv ${llvmSpirv.version}.`;
}

async function compared(
  files: readonly (readonly [string, string | Buffer])[],
  tools: Toolchain,
): Promise<boolean> {
  let same = true;
  for (const [file, content] of files) {
    const before = existsSync(file) ? readFileSync(file) : null;
    if (before?.equals(Buffer.from(content))) continue;
    same = false;
    await writeLine(printable(`${file}: ${difference(before, content, tools)}`), 'stderr');
  }
  if (same) await writeLine(printable(`the same: ${files.map(([file]) => file).join(', ')}`));
  return same;
}

/** How the existing file differs from what would be made now. */
function difference(before: Buffer | null, content: string | Buffer, tools: Toolchain): string {
  if (before === null) return 'expected a file, got nothing of that name; build without --check';
  const made = /^\/\/ (With clang .*)$/m.exec(before.toString())?.[1];
  if (made !== undefined && made !== withTools(tools)) {
    return `expected the tools that it was made with, "${made}", got "${withTools(tools)}"; name those with --clang and --llvm-spirv`;
  }
  const old = before.toString().split('\n');
  const line = content
    .toString()
    .split('\n')
    .findIndex((text, i) => text !== old[i]);
  return `differs from what is made now, first in line ${line + 1}; build without --check`;
}
