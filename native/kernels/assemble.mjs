#!/usr/bin/env node
// Has ptxas assemble the checked-in PTX for every GPU that we mean to run on; needs no GPU. Where
// there is no ptxas (it comes with the CUDA toolkit), says so.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ARCHITECTURES = ['sm_75', 'sm_80', 'sm_86', 'sm_89', 'sm_90', 'sm_100', 'sm_120'];

const header = readFileSync(new URL('generated/strided_copy_ptx.hpp', import.meta.url), 'utf8');
const [, ptx] = /R"ptx\((.*)\)ptx"/s.exec(header) ?? [];
if (ptx === undefined) throw new Error('expected PTX in generated/strided_copy_ptx.hpp, got none');

const work = mkdtempSync(join(tmpdir(), 'ptx-'));
try {
  const file = join(work, 'strided_copy.ptx');
  writeFileSync(file, ptx);
  for (const architecture of ARCHITECTURES) {
    const args = [`-arch=${architecture}`, file, '-o', join(work, 'strided_copy.cubin')];
    const { error, status, stderr } = spawnSync('ptxas', args, { encoding: 'utf8' });
    if (error?.code === 'ENOENT') {
      console.log('PTX not assembled: no ptxas on PATH');
      break;
    }
    if (status === 0) continue;
    console.error(`ptxas refuses the PTX for ${architecture}: ${error?.message ?? stderr}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
