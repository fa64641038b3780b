import type { DTypeName } from '@array-interface/core';
import { bytesOf } from './code/bytes.js';
import type { KernelForm } from './code/form.js';
import { ptxOf } from './code/ptx.js';
import { spirvOf } from './code/spirv.js';
import { compile, type Expression, freeExpression } from './launch/expression.js';
import { fault } from './launch/operands.js';
import { RESULT } from './meaning/check-names.js';
import { CASTS } from './meaning/functions.js';
import type { TypedInput } from './meaning/meaning-of.js';
import { scalarTypes } from './program/hoist.js';
import type { Instruction, Program } from './program/instruction.js';
import { reductionBytes } from './reduce/bytes.js';
import { positionOf } from './reduce/call.js';
import { compileTypes } from './reduce/compile.js';
import { rowForm } from './reduce/kernel.js';
import { reducePtx } from './reduce/ptx-target.js';
import { reduceSpirv } from './reduce/spirv-target.js';
import { type ReductionStage, stagesOf } from './stages/cut.js';
import { definitionOf } from './stages/lift.js';
import { didYouMean } from './syntax/fault.js';

/** What an expression becomes for operands of some types. */
export interface Explanation {
  /** The dtype of the result. */
  readonly type: DTypeName;
  /** The instructions for one element; of a reduction, also those for two values and for the result. */
  readonly program: string;
  /** The kernel for CUDA, for arrays whose elements are all in a row. */
  readonly ptx: string;
  /** The same for SYCL: a module of OpenCL's SPIR-V. */
  readonly spirv: Uint8Array;
  /** The same for the host: a kernel's `code.host.program`. */
  readonly host: Uint8Array;
  /**
   * The launches before it, in their order: reductions within the text, each with the work around it.
   * Programs load the result of the first one as `$1`, and so on.
   */
  readonly before: readonly Explanation[];
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
 *
 * const { before } = explainExpression('x - max(x)', { x: 'int32' });
 * console.log(before.length, before[0]?.type); // 1 int32
 * ```
 */
export function explainExpression(
  text: string,
  types: Readonly<Record<string, DTypeName>>,
): Explanation {
  const expression = freeExpression(text, Object.keys(types));
  const inputs = new Map(Object.entries(types).map(([name, type]) => [name, inputOf(name, type)]));
  if (!expression.hasReductions) return explainElements(expression, [...inputs.values()]);
  const launches: Explanation[] = [];
  for (const stage of stagesOf(expression, () => true)) {
    const own = stage.inputs.map((name) => inputs.get(name) as TypedInput);
    const { call } = stage;
    const made =
      call === null ? explainElements(stage.expression, own) : explainReduction(stage, own);
    launches.push(made);
    if (call !== null) inputs.set(stage.name, inputOf(stage.name, made.type));
  }
  return { ...(launches.pop() as Explanation), before: launches };
}

function inputOf(name: string, type: DTypeName): TypedInput {
  if (CASTS.includes(type)) return { name, type, as: type, isArray: true, isWeak: false };
  throw fault(
    'ERR_ARGUMENT',
    name,
    'a dtype of numbers',
    String(type),
    didYouMean(String(type), CASTS),
  );
}

const OUTPUT = { name: RESULT, type: null, stored: null, casting: 'same_kind' } as const;

function explainElements(expression: Expression, inputs: readonly TypedInput[]): Explanation {
  const { kernel: program } = compile(expression, inputs, [OUTPUT]);
  const form = denseForm(program);
  return {
    type: program.outputs[0]?.type as DTypeName,
    program: programText(program),
    ptx: ptxOf(form),
    spirv: spirvOf(form),
    host: bytesOf(form),
    before: [],
  };
}

function explainReduction(stage: ReductionStage, inputs: readonly TypedInput[]): Explanation {
  const definition = definitionOf(stage, inputs);
  const compiled = compileTypes(definition, inputs, [OUTPUT], 'same_kind');
  const { programs, scalars } = compiled;
  const { method } = definition;
  const form = rowForm(programs, scalars, { position: positionOf(definition, compiled), method });
  const { map, reduce, finish } = programs;
  return {
    type: finish.outputs[0]?.type as DTypeName,
    program: Object.entries({ map, reduce, finish })
      .map(([name, own]) => `${name}:\n${programText(own)}`)
      .join('\n'),
    ptx: reducePtx(form),
    spirv: reduceSpirv(form),
    host: reductionBytes(form),
    before: [],
  };
}

/** The form of a kernel whose arrays are all in a row. */
function denseForm(program: Program): KernelForm {
  const { inputs, outputs, axes, instructions } = program;
  const used = new Set(
    instructions.map(({ operation, source }) => (operation === 'load' ? source : null)),
  );
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
