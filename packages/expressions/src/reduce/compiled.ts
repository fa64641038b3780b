import type { DTypeName } from '@array-interface/core';
import type { Kernels } from '../launch/kernel.js';
import type { Meaning, TypedInput } from '../meaning/meaning-of.js';
import type { Hoisted } from '../program/hoist.js';
import type { Program, Register } from '../program/instruction.js';

/** One text of a reduction for the types of a call. */
export interface Step extends Meaning, Hoisted {
  readonly inputs: readonly TypedInput[];
}

/** A reduction for the types of a call. The scalars of its programs are numbered together. */
export interface CompiledReduction {
  readonly map: Step;
  readonly reduce: Step;
  readonly post: Step;
  readonly accumulators: readonly DTypeName[];
  readonly programs: Programs;
  /** The types of the numbers of all programs, by their common numbers. */
  readonly scalars: readonly Register[];
  readonly kernels: Kernels;
}

/** The programs of a launch: of an element, of two accumulators, and of what is stored. */
export interface Programs {
  readonly map: Program;
  readonly reduce: Program;
  readonly finish: Program;
}
