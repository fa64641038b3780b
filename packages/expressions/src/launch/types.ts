import type { DTypeName } from '@array-interface/core';
import { type Casting, canCast, resultType } from '@array-interface/core/numbers';
import type { TypedInput, TypedOutput } from '../meaning/meaning-of.js';
import { workingTypes } from '../meaning/term.js';
import { fault, type Operand, type Scalar, type Target, typeNameOf } from './operands.js';

/**
 * The type of an operand or output: a dtype, or the name of a variable, which begins with a capital
 * letter. Inputs of one variable have the type that their arguments have in common. An output whose
 * variable no input has gets the type of what is assigned to it.
 */
export type TypeName = DTypeName | `${Uppercase<Letter>}${string}`;
type Letter =
  | 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm'
  | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z'; // biome-ignore format: the alphabet

/** Returns whether a name is that of a variable. */
export function isVariable(type: string): boolean {
  return /^[A-Z]\w*$/.test(type);
}

/** The types of numbers that nothing declares. They are weak. */
const UNDECLARED = { boolean: 'bool', bigint: 'int64', number: 'float64' } as const;

/**
 * Returns the types of the operands of a call. `declared` has a type for each, or none if arrays
 * keep their own. Throws ERR_CASTING for an array whose dtype `casting` does not convert.
 */
export function typeInputs(
  operands: readonly Operand[],
  declared: Readonly<Record<string, string>> | null,
  casting: Casting,
): { readonly inputs: TypedInput[]; readonly variables: ReadonlyMap<string, DTypeName> } {
  const variables = new Map<string, DTypeName>();
  const named = (name: string) => declared?.[name];
  const all = Object.values(declared ?? {}).filter(isVariable);
  for (const variable of new Set(all)) {
    const members = operands.filter(({ name }) => named(name) === variable);
    if (members.length > 0) variables.set(variable, commonOf(members));
  }
  const inputs = operands.map((operand): TypedInput => {
    const { name, array, scalar } = operand;
    const type = named(name);
    const as = type === undefined ? undefined : (variables.get(type) ?? (type as DTypeName));
    if (array === null) return typeScalar(name, scalar, as);
    const own = typeNameOf(array.dtype, name);
    if (as !== undefined && as !== own && !canCast(own, as, casting)) {
      throw fault(
        'ERR_CASTING',
        name,
        `an array that '${casting}' converts to ${as}`,
        own,
        "pass { casting: 'unsafe' }",
      );
    }
    return { name, type: own, as: as ?? own, isArray: true, isWeak: false };
  });
  return { inputs, variables };
}

function commonOf(operands: readonly Operand[]): DTypeName {
  const types = operands.map(({ array, scalar, name }) =>
    array === null ? scalar : typeNameOf(array.dtype, name),
  );
  return resultType(...types).name as DTypeName;
}

/** A number of a declared type is one of that type: of its parts, if it is complex. */
function typeScalar(name: string, scalar: Scalar, as: DTypeName | undefined): TypedInput {
  if (as === undefined) {
    const type = UNDECLARED[typeof scalar as 'number'];
    return { name, type, as: type, isArray: false, isWeak: true };
  }
  const type = workingTypes(as)[0] as DTypeName;
  return { name, type, as, isArray: false, isWeak: false };
}

/** Returns the types of the outputs of a call. */
export function typeOutputs(
  declared: Readonly<Record<string, string>>,
  variables: ReadonlyMap<string, DTypeName>,
  out: readonly Target[],
  casting: Casting,
): TypedOutput[] {
  return Object.entries(declared).map(([name, type]) => {
    const own = isVariable(type) ? (variables.get(type) ?? null) : (type as DTypeName);
    const array = out.find((one) => one.name === name)?.array;
    const stored = array === undefined ? null : typeNameOf(array.dtype, `out.${name}`);
    return { name, type: own, stored: stored === own ? null : stored, casting };
  });
}
