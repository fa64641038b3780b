import type { DTypeName } from '@array-interface/core';
import { bytesOf } from './code/bytes.js';
import type { KernelForm } from './code/form.js';
import { ptxOf } from './code/ptx.js';
import { spirvOf } from './code/spirv.js';
import { compile, freeExpression } from './launch/expression.js';
import { fault } from './launch/operands.js';
import { RESULT } from './meaning/check-names.js';
import { CASTS } from './meaning/functions.js';
import type { TypedInput } from './meaning/meaning-of.js';
import { scalarTypes } from './program/hoist.js';
import type { Instruction, Program } from './program/instruction.js';
import { didYouMean } from './syntax/fault.js';

/** What an expression becomes for operands of some types. */
export interface Explanation {
  /** The dtype of the result. */
  readonly type: DTypeName;
  /** The instructions for one element. */
  readonly program: string;
  /** The kernel for CUDA, for arrays whose elements are all in a row. */
  readonly ptx: string;
  /** The same for SYCL: a module of OpenCL's SPIR-V. */
  readonly spirv: Uint8Array;
  /** The same for the host: a kernel's `code.host.program`. */
  readonly host: Uint8Array;
}

/**
 * Shows what an expression becomes: its type, its program, and its code. Runs nothing.
 *
 * `types` has the dtype of each operand, which is an array. Throws ERR_ARGUMENT with a mark under
 * the fault of a text.
 *
 * @example
 * ```ts
 * import { explainExpression } from '@array-interface/expressions';
 *
 * const { type, program } = explainExpression('x * x + 1', { x: 'int32' });
 * console.log(type); // int32
 * console.log(program);
 * // r0 = load x: int32
 * // r1 = multiply r0, r0: int32
 * // r2 = constant 1: int32
 * // r3 = add r1, r2: int32
 * // result = r3: int32
 * ```
 */
export function explainExpression(
  text: string,
  types: Readonly<Record<string, DTypeName>>,
): Explanation {
  const names = Object.keys(types);
  const inputs = names.map((name): TypedInput => {
    const type = types[name] as DTypeName;
    if (!CASTS.includes(type)) {
      throw fault('ERR_ARGUMENT', name, 'a dtype of numbers', String(type), didYouMean(String(type), CASTS)); // biome-ignore format: one line
    }
    return { name, type, as: type, isArray: true, isWeak: false };
  });
  const output = { name: RESULT, type: null, stored: null, casting: 'same_kind' } as const;
  const { kernel: program } = compile(freeExpression(text, names), inputs, [output]);
  const form = denseForm(program);
  return {
    type: program.outputs[0]?.type as DTypeName,
    program: programText(program),
    ptx: ptxOf(form),
    spirv: spirvOf(form),
    host: bytesOf(form),
  };
}

/** The form of a kernel whose arrays are all in a row. */
function denseForm(program: Program): KernelForm {
  const { inputs, outputs, axes, instructions } = program;
  const used = new Set(instructions.map(({ operation, source }) => (operation === 'load' ? source : null))); // biome-ignore format: one line
  const read = inputs.map(({ name, type }, index) => ({ name, type, index, writes: false }));
  const written = outputs.map(({ name, type }, index) => ({ name, type, index, writes: true }));
  const arrays = [...written, ...read.filter(({ index }) => used.has(index))];
  return {
    program,
    axes: Math.max(1, axes),
    isLong: false,
    arrays: arrays.map((one) => ({ ...one, mode: 'dense' })),
    scalars: scalarTypes(program),
  };
}

function programText({ instructions, inputs, outputs }: Program): string {
  const lines = instructions.map((one, index) => `r${index} = ${instructionText(one, inputs)}`);
  const stores = outputs.map(({ name, type, registers }) => {
    return `${name} = ${registers.map((register) => `r${register}`).join(', ')}: ${type}`;
  });
  return [...lines, ...stores].join('\n');
}

function instructionText(
  { operation, type, operands, value, source, part }: Instruction,
  inputs: Program['inputs'],
): string {
  const named = inputs[source as number]?.name;
  const detail = {
    load: `${named}${part === 1 ? '.imag' : ''}`,
    constant: Object.is(value, -0) ? '-0' : String(value),
    index: `${source}`,
    scalar: `${source}`,
  }[operation as 'load'];
  const shown = detail ?? operands.map((one) => `r${one}`).join(', ');
  return `${operation} ${shown}: ${type}`;
}
