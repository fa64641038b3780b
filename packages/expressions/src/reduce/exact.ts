import type { Operation, Program } from '../program/instruction.js';
import { isFloat } from '../program/instruction.js';

/** What gives one result in any order, of all types or of those that do not round. */
const IN_ANY_ORDER: ReadonlySet<Operation> = new Set(['and', 'or', 'xor', 'minimum', 'maximum']);
const UNLESS_ROUNDED: ReadonlySet<Operation> = new Set(['add', 'multiply']);

/** Returns whether accumulators may be combined in any order: one such operation combines each. */
export function combinesInAnyOrder({ instructions, outputs }: Program): boolean {
  const registers = outputs.flatMap((one) => one.registers);
  const loads = instructions.filter(({ operation }) => operation === 'load');
  if (loads.length !== 2 * registers.length) return false;
  return registers.every((register, index) => {
    const { operation, type, operands } = instructions[register] as Program['instructions'][number];
    const isFree = IN_ANY_ORDER.has(operation) || (UNLESS_ROUNDED.has(operation) && !isFloat(type));
    const read = operands.map((one) => loads.indexOf(instructions[one] as (typeof loads)[number]));
    read.sort((one, other) => one - other);
    return isFree && read.join() === [index, registers.length + index].join();
  });
}
