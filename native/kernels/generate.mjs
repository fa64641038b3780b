#!/usr/bin/env node
// Makes generated/*.hpp from strided_copy.cl. With --check: makes them anew, compares, writes nothing.
// Debian 12 packages: clang-15 llvm-spirv-15 spirv-tools (other versions give other output).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const source = 'strided_copy.cl';
const language = ['-x', 'cl', '-cl-std=CL1.2', '-Wall', '-Wextra', '-Werror'];

function tool(name, args) {
  const { error, status } = spawnSync(name, args, { cwd: folder, stdio: 'inherit' });
  if (error?.code === 'ENOENT') {
    const packages = 'clang-15 llvm-spirv-15 spirv-tools';
    throw new Error(
      `expected ${name} on PATH, got none; apt-get install --no-install-recommends ${packages}`,
    );
  }
  if (error) throw error;
  if (status !== 0) throw new Error(`${name} failed on ${source}`);
}

/** Of everything that the modules are made from, so that a test without compilers sees them go stale. */
function sourceHash() {
  const hash = createHash('sha256');
  for (const name of [source, 'portable.h']) hash.update(readFileSync(join(folder, name)));
  return hash.digest('hex');
}

function fnv1a64(bytes) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash;
}

/** PTX 5.0 for sm_60, which every later driver and GPU takes. */
function ptx(work) {
  const path = join(work, 'kernels.ptx');
  const target = ['--target=nvptx64-nvidia-cuda', '-march=sm_60', '--cuda-feature=+ptx50'];
  tool('clang-15', [...language, ...target, '-nogpulib', '-O2', '-S', source, '-o', path]);
  const lines = readFileSync(path, 'utf8').split('\n');
  return `${lines
    .filter((line) => !/^\s*\.(file|loc)\b/.test(line))
    .join('\n')
    .trim()}\n`;
}

/** SPIR-V 1.0, unoptimised: the translator does not know `freeze`, and runtimes optimise anyway. */
function spirv(work) {
  const bitcode = join(work, 'kernels.bc');
  const path = join(work, 'kernels.spv');
  const target = ['-target', 'spir64-unknown-unknown', '-O2', '-Xclang', '-disable-llvm-passes'];
  tool('clang-15', [...language, ...target, '-emit-llvm', '-c', source, '-o', bitcode]);
  tool('llvm-spirv-15', ['--spirv-max-version=1.0', bitcode, '-o', path]);
  tool('spirv-val', ['--target-env', 'opencl1.2', path]);
  return readFileSync(path);
}

function header(body) {
  return `// Generated from native/kernels/${source} by native/kernels/generate.mjs; do not edit.
// SHA-256 of ${source} and portable.h: ${sourceHash()}
// clang-format off
#pragma once

#include <cstdint>

namespace array_interface {

${body}
}  // namespace array_interface
`;
}

function ptxHeader(text) {
  const hash = fnv1a64(Buffer.from(text)).toString(16).padStart(16, '0');
  return header(`/// FNV-1a 64 (kernels/hash.hpp) of strided_copy_ptx without its closing NUL.
inline constexpr std::uint64_t strided_copy_ptx_hash = 0x${hash}u;

inline constexpr char strided_copy_ptx[] = R"ptx(${text})ptx";
`);
}

function spirvHeader(bytes) {
  const lines = [];
  for (let start = 0; start < bytes.length; start += 32) {
    const words = [];
    for (let at = start; at < Math.min(start + 32, bytes.length); at += 4) {
      words.push(`0x${bytes.readUInt32LE(at).toString(16).padStart(8, '0')}`);
    }
    lines.push(`  ${words.join(',')},`);
  }
  return header(`/// SPIR-V module in words; sizeof gives its bytes.
inline constexpr std::uint32_t strided_copy_spirv[] = {
${lines.join('\n')}
};
`);
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
  const files = {
    'generated/strided_copy_ptx.hpp': ptxHeader(ptx(work)),
    'generated/strided_copy_spirv.hpp': spirvHeader(spirv(work)),
  };
  mkdirSync(join(folder, 'generated'), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
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
    console.error(`${name} does not match ${source}, ${firstDifference(before, text)}`);
    console.error('Run native/kernels/generate.mjs and commit what it writes.');
    process.exitCode = 1;
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
