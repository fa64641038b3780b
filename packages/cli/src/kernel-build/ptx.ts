import { Failure } from '../output/failure.js';
import type { Signature } from './signature.js';
import { structBytes } from './struct-layout.js';

/**
 * The PTX version that each GPU architecture requires at least. Drivers from 460 on read sm_30's,
 * and so does the simulator.
 */
const VERSIONS: Readonly<Record<string, string>> = {
  sm_30: '50',
  sm_35: '50',
  sm_50: '50',
  sm_52: '50',
  sm_60: '50',
  sm_61: '50',
  sm_70: '60',
  sm_75: '63',
  sm_80: '70',
  sm_86: '71',
  sm_89: '78',
  sm_90: '78',
  sm_100: '86',
  sm_120: '87',
};

/** The alignment of a group's shared memory, which suits every number. */
const LEAST_ALIGN = 16;

/** GPU architectures that code can be made for. Later GPUs run it too. */
export const SM_TARGETS: readonly string[] = Object.keys(VERSIONS);

/**
 * The flags that make clang write PTX for a GPU architecture. With `cl_khr_fp16` it takes `half` as
 * a value, as it does for SPIR-V; it computes with floats.
 */
export function ptxFlags(sm: string): string[] {
  return [
    ...['-Xclang', '-cl-ext=+cl_khr_fp16'],
    '--target=nvptx64-nvidia-cuda',
    `-march=${sm}`,
    `--cuda-feature=+ptx${VERSIONS[sm]}`,
    '-nogpulib',
  ];
}

/**
 * Removes from PTX whatever depends on where it was built, and declares local parameters as CUDA
 * requires.
 */
export function finishPtx(text: string, kernels: readonly Signature[]): string {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*\.(file|loc)\b/.test(line))
    .map((line) => line.trimEnd());
  const clean = `${lines.join('\n').trim()}\n`;
  return kernels.reduce(
    (made, kernel) => withGroup(withDynamicShared(made, kernel), kernel),
    withRotations(clean),
  );
}

/** Clang writes `reqd_work_group_size` into SPIR-V only. */
function withGroup(text: string, { name, group }: Signature): string {
  if (group === undefined) return text;
  const head = new RegExp(`^((?:\\.visible )?\\.entry ${name}\\([^)]*\\))\\n`, 'm');
  return text.replace(head, `$1\n.reqntid ${group.join(', ')}\n`);
}

/**
 * Clang 15 writes a rotation by a variable number of bits as two shifts by that number, as if it
 * were below the width. LLVM's rotation counts modulo the width, and the code relies on that.
 */
function withRotations(text: string): string {
  const shifts = /(sh[lr]\.b(32|64)\s+%lhs, %\w+), (%\w+);\n(\s*sub\.[su]32\s+%amt2, \2), \3;/g;
  return text.replace(shifts, (_, shift, width, by, rest) => {
    const within = `and.b32 \t%amt2, ${by}, ${Number(width) - 1};\n`;
    return `${within}\t${shift}, %amt2;\n${rest}, %amt2;`;
  });
}

/**
 * Compares the sizes of structs with those in the PTX, whose compiler laid them out itself. Throws
 * if they differ: an argument would be read from other places than it was written to.
 */
export function checkStructs(text: string, { name, parameters }: Signature): void {
  for (const [index, { name: own, type }] of parameters.entries()) {
    if (type.kind !== 'struct') continue;
    const declared = new RegExp(`\\b${name}_param_${index}\\[(\\d+)\\]`).exec(text)?.[1];
    const bytes = structBytes(type.fields);
    if (Number(declared) === bytes) continue;
    throw new Failure(
      `parameter ${own} of ${name}: expected a struct of the same layout in PTX and in SPIR-V, got ` +
        `${declared ?? 'no'} bytes and ${bytes}`,
      'give its members explicit padding',
    );
  }
}

/** Functions that the PTX calls but does not define, by their mangled names. */
export function missingInPtx(text: string): string[] {
  const declared = text.matchAll(/^\.extern \.func\s+(?:\([^)]*\)\s*)?([\w$]+)/gm);
  return [...declared].map(([, name]) => name as string);
}

/**
 * A `__local T *` parameter is dynamic shared memory in CUDA, and no parameter. Removes it from the
 * list, and replaces its address by that of the shared memory.
 */
function withDynamicShared(text: string, { name, parameters }: Signature): string {
  const indices = parameters.flatMap(({ type }, i) => (type.kind === 'local' ? [i] : []));
  const [index, second] = indices;
  if (index === undefined) return text;
  if (second !== undefined) {
    throw new Failure(
      `parameter ${parameters[second]?.name} of ${name}: expected one __local pointer, got a second, ` +
        'whose offset CUDA does not know',
      'declare an array in the kernel, or divide one pointer by hand',
    );
  }
  const shared = `${name}_shared`;
  const { type } = parameters[index] as (typeof parameters)[number];
  const align = Math.max(LEAST_ALIGN, type.kind === 'local' ? (type.align ?? 0) : 0);
  const parameter = `${name}_param_${index}`;
  const load = new RegExp(`ld\\.param\\.u64(\\s+%\\w+), \\[${parameter}\\];`, 'g');
  const listed = new RegExp(`^\\s*\\.param \\.u64\\b.*\\b${parameter}(,?)\\n`, 'm');
  const head = new RegExp(`^(\\.visible )?\\.entry ${name}\\(`, 'm');
  const made = text
    .replace(load, `mov.u64$1, ${shared};`)
    .replace(listed, '')
    // the one before it is the last now
    .replace(new RegExp(`(\\.entry ${name}\\([^)]*),\\n\\)`), '$1\n)')
    .replace(head, `.extern .shared .align ${align} .b8 ${shared}[];\n$&`);
  // `sum_param_1` is neither `sum_param_10` nor `my_sum_param_1`
  if (!new RegExp(`\\b${parameter}\\b`).test(made)) return made;
  throw new Error(`${parameter} is used in a way that this command does not know`);
}
