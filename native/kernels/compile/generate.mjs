#!/usr/bin/env node
// Generates ../generated/*.hpp from the kernels' sources in ../device. With --check, regenerates
// and compares them, and writes nothing. Debian 12 packages: clang-15 llvm-spirv-15 spirv-tools
// (other versions produce other output).
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

function fnv1a64(bytes) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash;
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
  return `${lines
    .filter((line) => !/^\s*\.(file|loc)\b/.test(line))
    .join('\n')
    .trim()}\n`;
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

function header(kernel, body) {
  const sources = [`${kernel.name}.cl`, ...kernel.includes].join(', ');
  return `// Generated from native/kernels/device/${kernel.name}.cl by native/kernels/compile/generate.mjs; do not edit.
// SHA-256 of ${sources}: ${sourceHash(kernel)}
// clang-format off
#pragma once

#include <cstdint>

namespace array_interface {

${body}
}  // namespace array_interface
`;
}

function ptxHeader(kernel, text) {
  const { name } = kernel;
  const hash = fnv1a64(Buffer.from(text)).toString(16).padStart(16, '0');
  return header(
    kernel,
    `/// FNV-1a 64 (kernels/emulator/registry.hpp) of ${name}_ptx without its closing NUL.
inline constexpr std::uint64_t ${name}_ptx_hash = 0x${hash}u;

inline constexpr char ${name}_ptx[] = R"ptx(${text})ptx";
`,
  );
}

function spirvHeader(kernel, name, bytes) {
  const lines = [];
  for (let start = 0; start < bytes.length; start += 32) {
    const words = [];
    for (let at = start; at < Math.min(start + 32, bytes.length); at += 4) {
      words.push(`0x${bytes.readUInt32LE(at).toString(16).padStart(8, '0')}`);
    }
    lines.push(`  ${words.join(',')},`);
  }
  return header(
    kernel,
    `/// SPIR-V module in words; sizeof gives its bytes.
inline constexpr std::uint32_t ${name}_spirv[] = {
${lines.join('\n')}
};
`,
  );
}

/** The headers of one source, by file name. */
function headers(work, kernel) {
  const { name } = kernel;
  const source = `${name}.cl`;
  const wide = ['-DWIDE'];
  const narrow = `${name}_without_doubles`;
  const made = {};
  if (kernel.targets.includes('ptx')) {
    made[`${name}_ptx`] = ptxHeader(kernel, ptx(work, source, wide));
  }
  if (kernel.targets.includes('spirv')) {
    made[`${name}_spirv`] = spirvHeader(kernel, name, spirv(work, source, wide));
    made[`${narrow}_spirv`] = spirvHeader(kernel, narrow, spirv(work, source, []));
  }
  return made;
}

function firstDifference(before, after) {
  const old = before.split('\n');
  const now = after.split('\n');
  const line = now.findIndex((text, index) => text !== old[index]);
  const at = line < 0 ? now.length : line;
  return `line ${at + 1}:\n  - ${old[at] ?? '(end)'}\n  + ${now[at] ?? '(end)'}`;
}

const check = process.argv.includes('--check');
const work = mkdtempSync(join(tmpdir(), 'kernels-'));
try {
  mkdirSync(generated, { recursive: true });
  const files = Object.assign({}, ...KERNELS.map((kernel) => headers(work, kernel)));
  for (const [file, text] of Object.entries(files)) {
    const name = `generated/${file}.hpp`;
    const path = join(generated, `${file}.hpp`);
    if (!check) {
      writeFileSync(path, text);
      continue;
    }
    let before = '';
    try {
      before = readFileSync(path, 'utf8');
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    if (before === text) continue;
    console.error(`${name} does not match its source, ${firstDifference(before, text)}`);
    console.error('Run native/kernels/compile/generate.mjs and commit what it writes.');
    process.exitCode = 1;
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
