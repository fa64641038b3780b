import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../output/failure.js';
import { printableLines } from '../output/write-line.js';
import { demangle } from './demangle.js';
import { finishPtx, missingInPtx, ptxFlags } from './ptx.js';
import { readSignatures, type Signature } from './signature.js';
import { missingInSpirv } from './spirv.js';
import type { Tool, Toolchain } from './toolchain.js';

// Beside this file's source, even if this is part of a bundle in `dist`.
const PRELUDE = fileURLToPath(new URL('../src/kernel-build/prelude.cl', import.meta.url));

/** The result of compiling a source. */
export interface Compiled {
  readonly kernels: readonly Signature[];
  readonly ptx: string;
  readonly spirv: Buffer;
  /** Files that the source includes. */
  readonly includes: readonly string[];
}

export interface CompileOptions {
  /** The oldest GPU architecture that the PTX supports. */
  readonly sm: string;
  /** True if `a * b + c` may become one operation, whose result differs between devices. */
  readonly contract?: true;
}

/**
 * Compiles an OpenCL C file to PTX and SPIR-V. The compiler's own messages go to standard error.
 */
export function compile(
  source: string,
  { clang, llvmSpirv }: Toolchain,
  { sm, contract }: CompileOptions,
): Compiled {
  const work = mkdtempSync(path.join(tmpdir(), 'kernel-build-'));
  const inWork = (name: string) => path.join(work, name);
  // A compiler takes a path that begins with `@` for a file of options, and one with `-` for an
  // option.
  const file = path.resolve(source);
  const said = new Set<string>();
  const run = (tool: Tool, args: readonly string[]) =>
    runTool(tool, args, (words) => {
      if (!said.has(words)) process.stderr.write(printableLines(words.replaceAll(file, source)));
      said.add(words);
    });
  const language = [
    ...['-x', 'cl', '-cl-std=CL1.2', '-O2', '-fno-dollars-in-identifiers'],
    ...['-cl-fp32-correctly-rounded-divide-sqrt', `-ffp-contract=${contract ? 'fast' : 'off'}`],
  ];
  // Runtimes optimise SPIR-V anyway, and translators do not support everything that an optimiser
  // writes.
  const unoptimised = ['-Xclang', '-disable-llvm-passes', '-emit-llvm'];
  const spir = [
    ...language,
    '-target',
    'spir64-unknown-unknown',
    '-cl-kernel-arg-info',
    ...unoptimised,
  ];
  const nvptx = [...language, ...ptxFlags(sm)];
  try {
    run(clang, [...spir, '-c', '-MMD', '-MF', inWork('d'), file, '-o', inWork('spir.bc')]);
    run(clang, [...spir, '-S', file, '-o', inWork('spir.ll')]);
    const kernels = readSignatures(readFileSync(inWork('spir.ll'), 'utf8'));
    if (kernels.length === 0) throw new Failure('expected a kernel function, got none');
    const fused = `--spirv-fp-contract=${contract ? 'fast' : 'off'}`;
    const translate = ['--spirv-max-version=1.0', fused, inWork('spir.bc')];
    run(llvmSpirv, [...translate, '-o', inWork('spv')]);
    run(clang, [...nvptx, ...unoptimised, '-c', PRELUDE, '-o', inWork('prelude.bc')]);
    const link = ['-Xclang', '-mlink-builtin-bitcode', '-Xclang', inWork('prelude.bc')];
    run(clang, [...nvptx, ...link, '-S', file, '-o', inWork('ptx')]);
    const ptx = finishPtx(readFileSync(inWork('ptx'), 'utf8'), kernels);
    const spirv = readFileSync(inWork('spv'));
    refuseMissing(ptx, spirv);
    return { kernels, ptx, spirv, includes: includesOf(readFileSync(inWork('d'), 'utf8')) };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Runs a tool, and prints its output. */
function runTool(
  { name, program }: Tool,
  args: readonly string[],
  show: (words: string) => void,
): void {
  const { error, status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error) throw new Failure(`${program} cannot be run: ${error.message}`);
  if (stderr !== '') show(stderr);
  if (status !== 0) throw new Failure(`${name} rejects it; see its output above`);
}

/** Throws if code is missing for a function. Otherwise launching the kernel would fail. */
function refuseMissing(ptx: string, spirv: Buffer): void {
  const nowhere = missingInSpirv(spirv);
  if (nowhere.length > 0) {
    throw new Failure(
      `expected a definition of ${nowhere.map(demangle).join(', ')}, got only a declaration`,
      'define it in this file, or in one that this file includes',
    );
  }
  const missing = missingInPtx(ptx);
  if (missing.length > 0) {
    throw new Failure(
      `expected functions that CUDA also has, got ${missing.map(demangle).join(', ')}`,
      'call the one whose name begins with native_ if its precision suffices, or define one of your ' +
        'own under another name; the README of array-interface lists them',
    );
  }
}

/** The files after the first in a make rule, as clang's -MMD writes it. */
function includesOf(rule: string): string[] {
  const [, files = ''] = rule.replaceAll('\\\n', ' ').split(/:\s/);
  return files
    .split(/(?<!\\)\s+/)
    .filter((one) => one !== '')
    .map((one) => one.replaceAll(/\\([ #])/g, '$1').replaceAll('$$', '$'))
    .slice(1);
}
