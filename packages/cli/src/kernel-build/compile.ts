import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure, refuseAll } from '../output/failure.js';
import { printableLines } from '../output/write-line.js';
import { type Definitions, preprocessorFlags } from './definitions.js';
import { Ir, type Place } from './ir.js';
import { missingEverywhere, missingOnCuda } from './missing-functions.js';
import { checkStructs, finishPtx, missingInPtx, ptxFlags } from './ptx.js';
import {
  assemblyFailures,
  callTargetFailures,
  groupFailures,
  kernelCallFailures,
  kernelCalls,
  localMemoryFailures,
} from './refusals.js';
import { readSignatures, type ShowPlace, type Signature } from './signature.js';
import { missingInSpirv } from './spirv.js';
import type { Tool, Toolchain } from './toolchain.js';

// Beside this file's source, even if this is part of a bundle in `dist`.
const PRELUDE = fileURLToPath(new URL('../src/kernel-build/prelude.cl', import.meta.url));

/** A conversion that saturates or names a rounding, mangled. They are many, and rarely needed. */
const CONVERSION = /^_Z\d+convert_\w+?_(sat|rt[ezpn])/;
const CONVERSIONS = ['-DWITH_CONVERSIONS'];

/** The result of compiling a source. */
export interface Compiled {
  readonly kernels: readonly Signature[];
  readonly ptx: string;
  readonly spirv: Buffer;
  /** Files that the source includes. */
  readonly includes: readonly string[];
}

export interface CompileOptions extends Definitions {
  /** The oldest GPU architecture that the PTX supports. */
  readonly sm: string;
  /** True if `a * b + c` may become one operation, whose result differs between devices. */
  readonly contract?: true;
}

/**
 * Compiles an OpenCL C file to PTX and SPIR-V. The compiler's own messages go to standard error.
 * Throws Failure, with a place in the source where there is one.
 */
export function compile(
  source: string,
  { clang, llvmSpirv }: Toolchain,
  { sm, contract, ...definitions }: CompileOptions,
): Compiled {
  const preprocessor = preprocessorFlags(definitions);
  const work = mkdtempSync(path.join(tmpdir(), 'kernel-build-'));
  const inWork = (name: string) => path.join(work, name);
  // A compiler takes a path that begins with `@` for a file of options, and one with `-` for an
  // option.
  const file = path.resolve(source);
  const show = showPlace(source, file);
  const said = new Set<string>();
  const run = (tool: Tool, args: readonly string[]) =>
    runTool(tool, args, (words) => {
      if (!said.has(words)) process.stderr.write(printableLines(words.replaceAll(file, source)));
      said.add(words);
    });
  const rounding = [
    ...['-O2', '-cl-fp32-correctly-rounded-divide-sqrt'],
    `-ffp-contract=${contract ? 'fast' : 'off'}`,
  ];
  const language = ['-x', 'cl', '-cl-std=CL1.2', '-fno-dollars-in-identifiers', ...rounding];
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
    const read = [...preprocessor, file];
    run(clang, [...spir, '-c', '-MMD', '-MF', inWork('d'), ...read, '-o', inWork('spir.bc')]);
    run(clang, [...spir, '-S', '-g', ...read, '-o', inWork('spir.ll')]);
    const ir = new Ir(readFileSync(inWork('spir.ll'), 'utf8'));
    const kernels = readSignatures(ir, show);
    if (kernels.length === 0) throw new Failure('expected a kernel function, got none');
    refuseAll([
      ...assemblyFailures(ir, show),
      ...kernelCallFailures(ir, kernels, show),
      ...groupFailures(kernels, ir, show),
    ]);
    const fused = `--spirv-fp-contract=${contract ? 'fast' : 'off'}`;
    const translate = ['--spirv-max-version=1.0', fused, inWork('spir.bc')];
    run(llvmSpirv, [...translate, '-o', inWork('spv')]);
    const needed = ir.calls.some(({ callee }) => CONVERSION.test(callee)) ? CONVERSIONS : [];
    run(clang, [...nvptx, ...unoptimised, ...needed, '-c', PRELUDE, '-o', inWork('prelude.bc')]);
    const link = ['-Xclang', '-mlink-builtin-bitcode', '-Xclang', inWork('prelude.bc')];
    if (kernelCalls(ir).length === 0) {
      run(clang, [...nvptx, ...link, '-S', ...read, '-o', inWork('ptx')]);
    } else {
      // PTX has no call of a kernel, and clang copies none into another unless it is told to.
      run(clang, [...nvptx, ...link, ...unoptimised, '-S', ...read, '-o', inWork('ptx.ll')]);
      writeFileSync(inWork('ptx.ll'), withCopies(readFileSync(inWork('ptx.ll'), 'utf8')));
      const fromIr = ['-x', 'ir', ...rounding, ...ptxFlags(sm), inWork('ptx.ll')];
      run(clang, [...fromIr, '-S', '-o', inWork('ptx')]);
    }
    const ptx = finishPtx(readFileSync(inWork('ptx'), 'utf8'), kernels);
    for (const kernel of kernels) checkStructs(ptx, kernel);
    const spirv = readFileSync(inWork('spv'));
    refuseUnrunnable(ptx, spirv, ir, show);
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

/** LLVM IR whose kernels are copied into those that call them. */
function withCopies(ir: string): string {
  return ir.replaceAll(/^(attributes #\d+ = \{.*)\bnoinline\b/gm, '$1alwaysinline');
}

/** Throws for code that a driver would refuse, or that a launch would miss. */
function refuseUnrunnable(ptx: string, spirv: Buffer, ir: Ir, show: ShowPlace): void {
  refuseAll(missingEverywhere(missingInSpirv(spirv), ir, show));
  refuseAll([
    ...missingOnCuda(missingInPtx(ptx), ir, show),
    ...callTargetFailures(ptx, ir, show),
    ...localMemoryFailures(ptx, ir, show),
  ]);
}

/** Writes places as `blur.cl:12:5`: files from the source's folder, as the source was named. */
function showPlace(source: string, file: string): ShowPlace {
  return (place: Place | null) => {
    if (place === null) return null;
    const relative = path.relative(path.dirname(file), place.file);
    const name = path.join(path.dirname(source), relative);
    return [name, place.line, place.column ?? columnOf(place)].join(':');
  };
}

/** The column of a declared name, which debug information lacks. 1 if a macro wrote it. */
function columnOf({ file, line, name }: Place): number {
  if (name === undefined || !existsSync(file)) return 1;
  const text = readFileSync(file, 'utf8').split('\n')[line - 1] ?? '';
  return Math.max(0, text.search(new RegExp(`\\b${name.replaceAll(/\W/g, '')}\\b`))) + 1;
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
