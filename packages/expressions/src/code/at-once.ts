import { exp } from '../meaning/mathematics.js';
import { Builder } from '../program/builder.js';
import type { Instruction } from '../program/instruction.js';

/**
 * The instructions of e^x for an x that is loaded, the last one last. The host has one operation that
 * does all of them, to the same bits.
 */
const exponential: () => readonly Instruction[] = /* @__PURE__ */ (() => {
  let made: readonly Instruction[] | null = null;
  return () => {
    if (made === null) {
      const builder = new Builder();
      exp(builder, builder.load(0, 0, 'float64'));
      made = builder.instructions;
    }
    return made;
  };
})();

/** Returns x if an instruction of a program computes e^x. Else null. */
export function exponentOf(instructions: readonly Instruction[], index: number): number | null {
  const all = exponential();
  const found = new Map<number, number>();
  const isAlike = (at: number, own: number): boolean => {
    const known = found.get(own);
    if (known !== undefined) return known === at;
    found.set(own, at);
    const expected = all[own] as Instruction;
    const one = instructions[at] as Instruction;
    if (expected.operation === 'load') return one.type === expected.type;
    return (
      one.operation === expected.operation &&
      one.type === expected.type &&
      Object.is(one.value, expected.value) &&
      expected.operands.every((operand, place) => isAlike(one.operands[place] as number, operand))
    );
  };
  return isAlike(index, all.length - 1) ? (found.get(0) as number) : null;
}
