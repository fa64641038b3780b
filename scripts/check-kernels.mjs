import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { assemble, findPtxas, knownTo } from '../native/kernels/ptxas.mjs';
import { run } from './run.mjs';

// Has `array-interface kernel build` make anew what is checked in of its making, with the tools that
// it was made with (Debian 12 packages clang-15 and llvm-spirv-15; others give other output), and
// build a source that calls every function of OpenCL's that CUDA's code has.

const CHECKED_IN = [
  'examples/blur/src/blur',
  'packages/cli/test/kernel-build/scale',
  'packages/contract/src/kernels/contract',
  'packages/sycl/test/kernels/twice',
];
const EVERY_FUNCTION = 'packages/cli/test/kernel-build/every-function';
const ARCHITECTURES = ['sm_30', 'sm_50', 'sm_75', 'sm_90', 'sm_120'];

async function build(name, ...options) {
  const command = ['packages/cli/bin/array-interface.js', 'kernel', 'build', `${name}.cl`];
  const tools = ['--clang', 'clang-15', '--llvm-spirv', 'llvm-spirv-15'];
  const status = await run(process.execPath, [...command, ...tools, ...options]);
  if (status !== 0)
    throw new Error(`${name}.cl: array-interface kernel build ended with ${status}`);
}

/** Where there is a ptxas, has it assemble the PTX of a module. */
function assembled(file, ptxas) {
  if (ptxas === null) return;
  const [, ptx] = /^const PTX = `(.*?)`;$/ms.exec(readFileSync(file, 'utf8')) ?? [];
  if (ptx === undefined) throw new Error(`${file}: expected PTX, got none`);
  for (const architecture of knownTo(ptxas, ARCHITECTURES)) assemble(ptxas, ptx, architecture);
}

const work = mkdtempSync(path.join(tmpdir(), 'check-kernels-'));
try {
  const ptxas = findPtxas();
  for (const name of CHECKED_IN) {
    await build(name, '--check');
    assembled(`${name}.kernel.ts`, ptxas);
  }
  const module = path.join(work, 'every-function.kernel.ts');
  await build(EVERY_FUNCTION, '--out', module);
  assembled(module, ptxas);
  if (ptxas === null)
    console.log('PTX not assembled: no ptxas on PATH, in PTXAS or in a package of python3');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true });
}
