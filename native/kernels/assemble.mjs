#!/usr/bin/env node
// Has ptxas assemble the checked-in PTX for every kind of GPU that we mean to run on and that it
// knows: CUDA 12's from sm_50 on, CUDA 13's from sm_75. Needs no GPU. Where there is no ptxas (it
// comes with the CUDA toolkit), says so.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ARCHITECTURES = [
  ...['sm_30', 'sm_35', 'sm_37', 'sm_50', 'sm_52', 'sm_60', 'sm_61', 'sm_70', 'sm_75'],
  ...['sm_80', 'sm_86', 'sm_89', 'sm_90', 'sm_100', 'sm_120'],
];

const folder = new URL('generated/', import.meta.url);
const headers = readdirSync(folder).filter((name) => name.endsWith('_ptx.hpp'));

/** Those of ARCHITECTURES that ptxas knows; null where there is no ptxas. */
function known() {
  const { error, stdout } = spawnSync('ptxas', ['--help'], { encoding: 'utf8' });
  if (error?.code === 'ENOENT') return null;
  if (error) throw error;
  const names = new Set(stdout.match(/(?<=')sm_\d+(?=')/g));
  const found = ARCHITECTURES.filter((name) => names.has(name));
  if (found.length === 0) throw new Error('expected ptxas to name GPUs in its help, got none');
  return found;
}

/** Assembles one header's PTX for one GPU. */
function assemble(work, header, architecture) {
  const [, ptx] = /R"ptx\((.*)\)ptx"/s.exec(readFileSync(new URL(header, folder), 'utf8')) ?? [];
  if (ptx === undefined) throw new Error(`expected PTX in generated/${header}, got none`);
  const file = join(work, 'kernels.ptx');
  writeFileSync(file, ptx);
  const args = [`-arch=${architecture}`, file, '-o', join(work, 'kernels.cubin')];
  const { error, status, stderr } = spawnSync('ptxas', args, { encoding: 'utf8' });
  if (status === 0) return;
  console.error(`ptxas refuses ${header} for ${architecture}: ${error?.message ?? stderr}`);
  process.exitCode = 1;
}

const work = mkdtempSync(join(tmpdir(), 'ptx-'));
try {
  if (headers.length === 0) throw new Error('expected headers with PTX in generated, got none');
  const architectures = known();
  for (const name of architectures ?? []) {
    for (const header of headers) assemble(work, header, name);
  }
  if (architectures === null) {
    console.log('PTX not assembled: no ptxas on PATH');
  } else if (!process.exitCode) {
    console.log(`ptxas takes ${headers.join(', ')} for ${architectures.join(', ')}`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
