import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { assemble, findPtxas, knownTo } from '../../native/kernels/compile/ptxas.mjs';
import { inNewFolder } from '../new-folder.mjs';
import { job, must, root } from '../run.mjs';

// Has `array-interface kernel build` rebuild its checked-in outputs, and compares them. Uses the
// original tools (Debian 12 packages clang-15 and llvm-spirv-15; other versions produce other
// output). Also builds a source that calls every OpenCL function that CUDA's code has.

const CHECKED_IN = [
  'examples/blur/src/blur',
  'packages/core/src/arrays/indexing',
  'packages/cli/test/kernel-build/scale',
  'packages/contract/src/kernels/arguments',
  'packages/contract/src/kernels/contract',
  'packages/sycl/test/kernels/twice',
];
const EVERY_FUNCTION = 'packages/cli/test/kernel-build/every-function';
const ROUNDS = 'packages/cli/test/kernel-build/rounds';
const ARCHITECTURES = ['sm_30', 'sm_50', 'sm_75', 'sm_90', 'sm_120'];

async function build(name, ...options) {
  const command = ['packages/cli/bin/array-interface.js', 'kernel', 'build', `${name}.cl`];
  const tools = ['--clang', 'clang-15', '--llvm-spirv', 'llvm-spirv-15'];
  await must(process.execPath, [...command, ...tools, ...options]);
}

/** Assembles a module's PTX with ptxas, if there is one. */
function assembled(file, ptxas) {
  if (ptxas === null) return;
  const [, ptx] = /^const PTX = `(.*?)`;$/ms.exec(readFileSync(file, 'utf8')) ?? [];
  if (ptx === undefined) throw new Error(`${file}: expected PTX, got none`);
  for (const architecture of knownTo(ptxas, ARCHITECTURES)) assemble(ptxas, ptx, architecture);
}

/** Whether SPIR-V disables contraction: OpExecutionMode … ContractionOff. */
function isContractionOff(spirv) {
  const words = new Uint32Array(
    spirv.buffer.slice(spirv.byteOffset, spirv.byteOffset + spirv.length),
  );
  return words.some((word, at) => word === ((3 << 16) | 16) && words[at + 2] === 31);
}

/**
 * Compiles code that divides and could be contracted with the real compilers, and checks the
 * output.
 */
async function checkRounding(work) {
  const source = path.join(work, 'rounds');
  copyFileSync(path.join(root, `${ROUNDS}.cl`), `${source}.cl`);
  for (const contract of [false, true]) {
    await build(source, '--plain', ...(contract ? ['--contract'] : []));
    const ptx = readFileSync(`${source}.ptx`, 'utf8');
    const made = {
      'div.rn and sqrt.rn in PTX': [
        /\bdiv\.rn\.f32\b/.test(ptx) && /\bsqrt\.rn\.f32\b/.test(ptx),
        true,
      ],
      'fma.rn in PTX': [/\bfma\.rn\.f32\b/.test(ptx), contract],
      'ContractionOff in SPIR-V': [isContractionOff(readFileSync(`${source}.spv`)), !contract],
    };
    for (const [what, [is, expected]] of Object.entries(made)) {
      if (is === expected) continue;
      const option = contract ? 'with --contract' : 'without --contract';
      throw new Error(`${ROUNDS}.cl, ${option}: expected ${what}: ${expected}, got ${is}`);
    }
  }
}

async function checkAll(work) {
  const ptxas = findPtxas();
  for (const name of CHECKED_IN) {
    await build(name, '--check');
    assembled(`${name}.kernel.ts`, ptxas);
  }
  const module = path.join(work, 'every-function.kernel.ts');
  await build(EVERY_FUNCTION, '--out', module);
  assembled(module, ptxas);
  await checkRounding(work);
  if (ptxas === null)
    console.log('PTX not assembled: no ptxas on PATH, in PTXAS or in a package of python3');
}

await job(() => inNewFolder(checkAll));
