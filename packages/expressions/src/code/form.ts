import type { DTypeName } from '@array-interface/core';
import type { Program, Register } from '../program/instruction.js';

/** How an array lies along the axes of a loop: in C order, as one element for all, or otherwise. */
export type Mode = 'dense' | 'one' | 'strided';

/** An array that a kernel takes. */
export interface FormArray {
  readonly name: string;
  readonly type: DTypeName;
  readonly writes: boolean;
  readonly mode: Mode;
  /** The index of the program's output or input. */
  readonly index: number;
}

/** What the code of a kernel depends on. */
export interface KernelForm {
  /** Computes one element; its scalars are the numbers of the kernel. */
  readonly program: Program;
  /** Number of axes of the loop, at least 1. */
  readonly axes: number;
  /** Whether indices need 64 bits. */
  readonly isLong: boolean;
  /** The outputs, then the inputs. */
  readonly arrays: readonly FormArray[];
  /** The types of the numbers. */
  readonly scalars: readonly Register[];
}

/** The name of the function in code. */
export const ENTRY = 'expression';

/** A value that code takes. */
export type FormParameter =
  | { readonly kind: 'pointer'; readonly array: FormArray }
  | { readonly kind: 'stride'; readonly array: FormArray; readonly axis: number }
  | { readonly kind: 'number'; readonly name: string; readonly type: Register };

/** The names of the numbers that every kernel takes: its first item, and the number of all items. */
export const FIRST = '$first';
export const TOTAL = '$total';

/** Returns the name of the address of an array. */
export function pointerName({ writes, index }: FormArray): string {
  return `${writes ? 'o' : 'i'}${index}`;
}

/** Returns the name of the stride of an array along an axis. */
export function strideName(array: FormArray, axis: number): string {
  return `${pointerName(array)} ${axis}`;
}

/** Returns the name of a value that code takes. */
export function parameterName(parameter: FormParameter): string {
  if (parameter.kind === 'number') return parameter.name;
  const { array } = parameter;
  return parameter.kind === 'stride' ? strideName(array, parameter.axis) : pointerName(array);
}

/** Returns the name of the length of an axis. */
export function lengthName(axis: number): string {
  return `$length${axis}`;
}

/** Returns the name of a number of the program. */
export function scalarName(index: number): string {
  return `$number${index}`;
}

/** Returns the type of items and lengths. */
export function indexType({ isLong }: KernelForm): Register {
  return isLong ? 'uint64' : 'uint32';
}

/** Returns whether code needs the index along each axis: not if all elements are in a row. */
export function usesIndices({ arrays, program }: KernelForm): boolean {
  return (
    arrays.some(({ mode }) => mode === 'strided') ||
    program.instructions.some(({ operation }) => operation === 'index')
  );
}

/** Returns the axes whose lengths code needs: all but the first, if it needs indices. */
export function lengthAxes(form: KernelForm): number[] {
  if (!usesIndices(form)) return [];
  return Array.from({ length: form.axes - 1 }, (_, axis) => axis + 1);
}

/** Returns what code takes, in order. */
export function parametersOf(form: KernelForm): FormParameter[] {
  const type = indexType(form);
  const number = (name: string, own: Register): FormParameter => ({
    kind: 'number',
    name,
    type: own,
  });
  return [
    number(FIRST, type),
    number(TOTAL, type),
    ...lengthAxes(form).map((axis) => number(lengthName(axis), type)),
    ...form.arrays.flatMap((array): FormParameter[] => [
      { kind: 'pointer', array },
      ...(array.mode === 'strided'
        ? Array.from({ length: form.axes }, (_, axis) => ({ kind: 'stride' as const, array, axis }))
        : []),
    ]),
    ...form.scalars.map((own, index) => number(scalarName(index), own)),
  ];
}
