#!/usr/bin/env node
// Generates ../generated/*.ptx and *.spv from the kernels' sources in ../device, and sources.json
// with a hash of each source. With --check, regenerates and compares them, and writes nothing.
// Debian 12 packages: clang-15 llvm-spirv-15 spirv-tools (other versions produce other output).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const device = fileURLToPath(new URL('../device/', import.meta.url));
const generated = fileURLToPath(new URL('../generated/', import.meta.url));
const NUMBERS = ['convert.h', 'number.h', 'shape.h', 'portable.h'];
// Each source, its includes and its outputs: PTX for CUDA, SPIR-V for SYCL. SPIR-V is built with
// and without doubles, because not every device supports them.
const KERNELS = [
  { name: 'strided_copy', includes: ['shape.h', 'portable.h'], targets: ['ptx'] },
  { name: 'convert', includes: NUMBERS, targets: ['ptx', 'spirv'] },
  { name: 'block_copy', includes: NUMBERS, targets: ['ptx'] },
  { name: 'row_copy', includes: [...NUMBERS, 'special.h'], targets: ['spirv'] },
  {
    name: 'tile_copy',
    includes: [...NUMBERS, 'special.h', 'tile_offsets.h', 'tile_read.h', 'turn.h'],
    targets: ['spirv'],
  },
];
const language = ['-x', 'cl', '-cl-std=CL1.2', '-Wall', '-Wextra', '-Werror'];

function tool(name, args, source) {
  const { error, status } = spawnSync(name, args, { cwd: device, stdio: 'inherit' });
  if (error?.code === 'ENOENT') {
    const packages = 'clang-15 llvm-spirv-15 spirv-tools';
    throw new Error(
      `expected ${name} on PATH, got none; apt-get install --no-install-recommends ${packages}`,
    );
  }
  if (error) throw error;
  if (status !== 0) throw new Error(`${name} failed on ${source}`);
}

/** Hash of every source of a module. A test without compilers uses it to detect stale output. */
function sourceHash({ name, includes }) {
  const hash = createHash('sha256');
  for (const file of [`${name}.cl`, ...includes]) hash.update(readFileSync(join(device, file)));
  return hash.digest('hex');
}

/**
 * Compiles to PTX 5.0 for sm_30 (Kepler). The addon needs driver 460 or later; all of these read
 * it, and none supports an older GPU. Nothing is lost: for sm_30 to sm_60, clang emits the same
 * text except for `.target`, and ptxas produces the same machine code from it for later GPUs.
 */
function ptx(work, source, defines) {
  const path = join(work, 'kernels.ptx');
  const target = ['--target=nvptx64-nvidia-cuda', '-march=sm_30', '--cuda-feature=+ptx50'];
  const flags = [...language, ...defines, ...target, '-nogpulib', '-O2', '-S'];
  tool('clang-15', [...flags, source, '-o', path], source);
  const lines = readFileSync(path, 'utf8').split('\n');
  const text = lines.filter((line) => !/^\s*\.(file|loc)\b/.test(line)).join('\n');
  return Buffer.from(`${text.trim()}\n`);
}

/**
 * Compiles to SPIR-V 1.0, unoptimised: the translator does not support `freeze`, and runtimes
 * optimise anyway.
 */
function spirv(work, source, defines) {
  const bitcode = join(work, 'kernels.bc');
  const path = join(work, 'kernels.spv');
  const target = ['-target', 'spir64-unknown-unknown', '-O2', '-Xclang', '-disable-llvm-passes'];
  const flags = [...language, ...defines, ...target, '-emit-llvm', '-c'];
  tool('clang-15', [...flags, source, '-o', bitcode], source);
  tool('llvm-spirv-15', ['--spirv-max-version=1.0', bitcode, '-o', path], source);
  tool('spirv-val', ['--target-env', 'opencl1.2', path], source);
  return readFileSync(path);
}

/** The modules of one source, by the names of their files. */
function modules(work, { name, targets }) {
  const source = `${name}.cl`;
  const wide = ['-DWIDE'];
  const made = {};
  if (targets.includes('ptx')) made[`${name}.ptx`] = ptx(work, source, wide);
  if (targets.includes('spirv')) {
    made[`${name}.spv`] = spirv(work, source, wide);
    made[`${name}_without_doubles.spv`] = spirv(work, source, []);
  }
  return made;
}

/** All files of the folder: the modules, and what each was made from. */
function files(work) {
  const made = {};
  const sources = {};
  for (const kernel of KERNELS) {
    const hash = sourceHash(kernel);
    for (const [file, bytes] of Object.entries(modules(work, kernel))) {
      made[file] = bytes;
      sources[file] = { sources: [`${kernel.name}.cl`, ...kernel.includes], sha256: hash };
    }
  }
  made['sources.json'] = Buffer.from(`${JSON.stringify(sources, null, 2)}\n`);
  return made;
}

function firstDifference(file, before, after) {
  if (file.endsWith('.spv')) {
    const at = after.findIndex((byte, index) => byte !== before[index]);
    return `byte ${at < 0 ? after.length : at}`;
  }
  const old = before.toString().split('\n');
  const now = after.toString().split('\n');
  const line = now.findIndex((text, index) => text !== old[index]);
  const at = line < 0 ? now.length : line;
  return `line ${at + 1}:\n  - ${old[at] ?? '(end)'}\n  + ${now[at] ?? '(end)'}`;
}

const check = process.argv.includes('--check');
const work = mkdtempSync(join(tmpdir(), 'kernels-'));
try {
  mkdirSync(generated, { recursive: true });
  for (const [file, bytes] of Object.entries(files(work))) {
    const path = join(generated, file);
    if (!check) {
      writeFileSync(path, bytes);
      continue;
    }
    let before = Buffer.alloc(0);
    try {
      before = readFileSync(path);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    if (before.equals(bytes)) continue;
    const difference = firstDifference(file, before, bytes);
    console.error(`generated/${file} does not match its source, ${difference}`);
    console.error('Run native/kernels/compile/generate.mjs and commit what it writes.');
    process.exitCode = 1;
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
