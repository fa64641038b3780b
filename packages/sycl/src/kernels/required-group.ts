import { instructions, textOf } from './check-spirv.js';

// Opcodes and an execution mode of SPIR-V 1.6.
const ENTRY_POINT = 15;
const EXECUTION_MODE = 16;
const LOCAL_SIZE = 17;

/**
 * The items of a group that a function requires, as OpenCL's `reqd_work_group_size` does, the
 * slowest axis first. Undefined if it requires none. The runtime refuses a launch of any other
 * without a reason. The module must have passed `checkSpirv`.
 */
export function requiredGroup(spirv: Uint8Array, name: string): readonly number[] | undefined {
  const words = new Uint32Array(spirv.buffer, 0, spirv.byteLength >> 2);
  let entryPoint: number | undefined;
  for (const [operation, at, length] of instructions(words)) {
    const operands = words.subarray(at + 1, at + length);
    if (operation === ENTRY_POINT && textOf(operands.subarray(2)) === name)
      entryPoint = operands[1];
    const isSize = operation === EXECUTION_MODE && operands[1] === LOCAL_SIZE;
    if (isSize && operands[0] === entryPoint) return [...operands.subarray(2, 5)].reverse();
  }
  return undefined;
}
