import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../output/failure.js';

/** The oldest clang whose OpenCL C was tested. */
const OLDEST = 15;

const REMEDY = `Debian, Ubuntu: sudo apt install clang-${OLDEST} llvm-spirv-${OLDEST} (or another version, the same of both)
  conda: conda install -c conda-forge clang llvm-spirv
  others: https://releases.llvm.org and https://github.com/KhronosGroup/SPIRV-LLVM-Translator
users of your kernels need neither: commit what is built`;

/** A program that was found. */
export interface Tool {
  /** Its usual name, `clang-15`. */
  readonly name: string;
  /** Its absolute path. */
  readonly program: string;
  /** The version that it reports, `15.0.6`. */
  readonly version: string;
}

/** The tools that build kernels. */
export interface Toolchain {
  readonly clang: Tool;
  readonly llvmSpirv: Tool;
}

/** Programs that the user named. */
export type NamedTools = { readonly [tool in keyof Toolchain]?: string };

const CLANG = { name: 'clang', version: /^(?!Apple).*\bclang version (\d+\.\d+\.\d+)/m };
const LLVM_SPIRV = { name: 'llvm-spirv', version: /\bLLVM version (\d+\.\d+\.\d+)/ };

/**
 * The newest clang on PATH with an llvm-spirv of the same version: an LLVM cannot read what a newer
 * one writes. Throws Failure if there is no such pair.
 */
export function findToolchain(named: NamedTools): Toolchain {
  const clangs = found(CLANG, named.clang).filter((one) => majorOf(one) >= OLDEST);
  const translators = found(LLVM_SPIRV, named.llvmSpirv);
  for (const clang of clangs) {
    const llvmSpirv = translators.find((one) => majorOf(one) === majorOf(clang));
    if (llvmSpirv !== undefined) return { clang, llvmSpirv };
  }
  throw new Failure(
    `expected clang ${OLDEST} or newer and llvm-spirv of the same version, got ` +
      `${listed(CLANG.name, clangs)} and ${listed(LLVM_SPIRV.name, translators)}`,
    REMEDY,
  );
}

const majorOf = ({ version }: Tool) => Number.parseInt(version, 10);

function listed(name: string, tools: readonly Tool[]): string {
  return tools.length === 0
    ? `no ${name}`
    : `${name} ${tools.map((one) => one.version).join(', ')}`;
}

/** The programs of a kind, newest first: the named one, or those on PATH. */
function found({ name, version }: typeof CLANG, named: string | undefined): Tool[] {
  const tools = programsOf(name, named).flatMap((program) => {
    const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
    const says = version.exec(stdout ?? '')?.[1];
    return says === undefined ? [] : [{ name: path.basename(program), program, version: says }];
  });
  if (named !== undefined && tools.length === 0) {
    throw new Failure(`expected ${name}, got ${named}, which does not say that it is one`, REMEDY);
  }
  return tools.sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }));
}

/** Absolute paths: of the named program, or of `clang` and `clang-15` on PATH. */
function programsOf(name: string, named: string | undefined): string[] {
  if (named !== undefined && path.basename(named) !== named) return [path.resolve(named)];
  const pattern = new RegExp(`^${name}(-\\d+)?(\\.exe)?$`);
  const isMeant = (file: string) => (named === undefined ? pattern.test(file) : file === named);
  const programs = new Map<string, string>(); // the first of each name, as a shell chooses
  for (const folder of foldersOfPath()) {
    for (const file of filesOf(folder).filter(isMeant)) {
      if (!programs.has(file)) programs.set(file, path.join(folder, file));
    }
  }
  return [...programs.values()];
}

/** Relative folders are skipped, since they would depend on the working folder. */
function foldersOfPath(): string[] {
  return (process.env.PATH ?? '').split(path.delimiter).filter((one) => path.isAbsolute(one));
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // PATH may name folders that do not exist
  }
}
