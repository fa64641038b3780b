#!/usr/bin/env node
// Has ptxas assemble the checked-in PTX for every GPU that we mean to run on; needs no GPU. Where
// there is no ptxas (it comes with the CUDA toolkit), says so.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ARCHITECTURES = ['sm_75', 'sm_80', 'sm_86', 'sm_89', 'sm_90', 'sm_100', 'sm_120'];

const folder = new URL('generated/', import.meta.url);
const headers = readdirSync(folder).filter((name) => name.endsWith('_ptx.hpp'));

/** Assembles one header's PTX for one GPU; false where there is no ptxas. */
function assemble(work, header, architecture) {
  const [, ptx] = /R"ptx\((.*)\)ptx"/s.exec(readFileSync(new URL(header, folder), 'utf8')) ?? [];
  if (ptx === undefined) throw new Error(`expected PTX in generated/${header}, got none`);
  const file = join(work, 'kernels.ptx');
  writeFileSync(file, ptx);
  const args = [`-arch=${architecture}`, file, '-o', join(work, 'kernels.cubin')];
  const { error, status, stderr } = spawnSync('ptxas', args, { encoding: 'utf8' });
  if (error?.code === 'ENOENT') return false;
  if (status !== 0) {
    console.error(`ptxas refuses ${header} for ${architecture}: ${error?.message ?? stderr}`);
    process.exitCode = 1;
  }
  return true;
}

const work = mkdtempSync(join(tmpdir(), 'ptx-'));
try {
  const pairs = headers.flatMap((header) => ARCHITECTURES.map((name) => [header, name]));
  if (pairs.length === 0) throw new Error('expected headers with PTX in generated, got none');
  if (!pairs.every(([header, architecture]) => assemble(work, header, architecture))) {
    console.log('PTX not assembled: no ptxas on PATH');
  } else if (!process.exitCode) {
    console.log(`ptxas takes ${headers.join(', ')} for ${ARCHITECTURES.join(', ')}`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
