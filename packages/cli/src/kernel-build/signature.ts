import { Failure, refuseAll } from '../output/failure.js';
import type { Ir, Place } from './ir.js';
import { NoLayout, type Struct, structLayout } from './struct-layout.js';

/** A kernel's name, parameters and group, as its source declares them. */
export interface Signature {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly type: ParameterType }[];
  /** Items along x, y and z of the groups that the kernel requires, if it requires any. */
  readonly group?: readonly number[];
}

/** A number or a struct, or an array of numbers and how the kernel accesses it. */
export type ParameterType =
  | { readonly kind: 'number'; readonly dtype: string }
  | { readonly kind: 'struct'; readonly fields: Struct }
  | {
      readonly kind: 'read' | 'write' | 'local';
      readonly dtype: string;
      /** Bytes that the kernel's vectors are aligned to. Absent: its elements are numbers. */
      readonly align?: number;
    };

/** Writes a place for people. */
export type ShowPlace = (place: Place | null) => string | null;

const DTYPES: Readonly<Record<string, string>> = {
  char: 'int8',
  uchar: 'uint8',
  short: 'int16',
  ushort: 'uint16',
  int: 'int32',
  uint: 'uint32',
  long: 'int64',
  ulong: 'uint64',
  half: 'float16',
  float: 'float32',
  double: 'float64',
};

/** Address spaces, as `-cl-kernel-arg-info` numbers them. */
const GLOBAL = 1;
const CONSTANT = 2;
const LOCAL = 3;

/** A name that is valid in OpenCL C and in a module. */
const NAME = /^[A-Za-z_]\w*$/;
const POINTER = /^(\w+?)(?: __attribute__\(\(ext_vector_type\((\d+)\)\)\))?\*$/;
const BITS = 8;

/**
 * The kernels of a module, read from what clang's `-cl-kernel-arg-info` wrote into its LLVM IR,
 * where every typedef and macro is resolved. Throws Failure for the parameters that no launch can
 * pass.
 */
export function readSignatures(ir: Ir, show: ShowPlace): Signature[] {
  const failures: Failure[] = [];
  const kernels = [...ir.functions].filter(([, line]) => / spir_kernel /.test(line));
  const signatures = kernels.map(([name, line]): Signature => {
    const nameless = checkName(name, 'kernel', show(placeOfKernel(ir, name)));
    if (nameless !== null) failures.push(nameless);
    const parameters = readParameters(ir, name, line, show, failures);
    const group = infoOf(ir, line, 'reqd_work_group_size');
    const sizes = [...group.matchAll(/\bi32 (\d+)/g)].map(([, size]) => Number(size));
    return sizes.length === 0 ? { name, parameters } : { name, parameters, group: sizes };
  });
  refuseAll(failures);
  return signatures;
}

/** Where a kernel is declared. */
export function placeOfKernel(ir: Ir, name: string): Place | null {
  const node = ir.subprogram(name);
  return node === null ? null : ir.placeOf(node);
}

function infoOf(ir: Ir, line: string, kind: string): string {
  return ir.list(new RegExp(`!${kind} !(\\d+)`).exec(line)?.[1]);
}

function readParameters(
  ir: Ir,
  kernel: string,
  line: string,
  show: ShowPlace,
  failures: Failure[],
): Signature['parameters'] {
  const info = (kind: string) => infoOf(ir, line, `kernel_arg_${kind}`);
  const spaces = [...info('addr_space').matchAll(/\bi32 (\d+)/g)].map(([, n]) => Number(n));
  const types = strings(info('base_type'));
  const said = strings(info('type'));
  const qualifiers = strings(info('type_qual'));
  const names = strings(info('name'));
  const references = ir.parameterTypes(kernel);
  return types.flatMap((type, index) => {
    const place = show(ir.placeOfParameter(kernel, index));
    const name = names[index] || `number ${index}`;
    const location = `parameter ${name} of ${kernel}`;
    try {
      if (!names[index]) throw new Failure(`${location}: expected a name, got none`, null, place);
      const nameless = checkName(name, `parameter of ${kernel}`, place);
      if (nameless !== null) throw nameless;
      const read = readType({
        location,
        place,
        type,
        said: said[index] ?? type,
        space: spaces[index] ?? 0,
        isConst: /\bconst\b/.test(qualifiers[index] ?? ''),
        struct: () => structLayout(ir, references[index] ?? undefined),
        show: (layout) => show(layout.member.kind === '' ? null : ir.placeOf(layout.member)),
      });
      return [{ name, type: read }];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failures.push(error);
      return [];
    }
  });
}

/** The failure of a name that is unsafe in code: it becomes part of the generated module. */
function checkName(name: string, what: string, place: string | null): Failure | null {
  if (NAME.test(name)) return null;
  return new Failure(
    `${what} ${name}: expected a name of letters, digits and _ that begins with no digit`,
    null,
    place,
  );
}

function strings(text: string): string[] {
  return [...text.matchAll(/!"((?:[^"\\]|\\.)*)"/g)].map(([, one]) => one as string);
}

interface ClangType {
  readonly location: string;
  readonly place: string | null;
  /** Without typedefs. */
  readonly type: string;
  /** As the source writes it. */
  readonly said: string;
  readonly space: number;
  readonly isConst: boolean;
  /** The fields of a struct. Null for another type. Throws NoLayout. */
  struct(): Struct | null;
  /** Where a member is that no argument can fill. */
  show(error: NoLayout): string | null;
}

function readType(clangType: ClangType): ParameterType {
  const { type, space, isConst } = clangType;
  const number = DTYPES[type];
  if (number !== undefined) return { kind: 'number', dtype: number };
  const [, element = '', lanes] = POINTER.exec(type) ?? [];
  const dtype = Object.hasOwn(DTYPES, element) ? DTYPES[element] : undefined;
  if (dtype !== undefined && (space === LOCAL || space === GLOBAL)) {
    const kind = space === LOCAL ? 'local' : isConst ? 'read' : 'write';
    return lanes === undefined ? { kind, dtype } : { kind, dtype, align: alignOf(dtype, lanes) };
  }
  const fields = type.endsWith('*') ? null : readStruct(clangType);
  if (fields !== null) return { kind: 'struct', fields };
  const { location, place } = clangType;
  throw new Failure(
    `${location}: expected a number, a struct of numbers, or a __global or __local pointer to ` +
      `numbers or vectors, got ${shown(clangType)}`,
    remedyOf(clangType),
    place,
  );
}

function readStruct(clangType: ClangType): Struct | null {
  try {
    return clangType.struct();
  } catch (error) {
    if (!(error instanceof NoLayout)) throw error;
    const { name } = error.member.properties;
    throw new Failure(
      `${clangType.location}: expected a struct of numbers, vectors, arrays and structs, got one with ` +
        `${error.message}${name === undefined ? '' : ` (${name})`}`,
      'take it as a parameter of its own, or as integers',
      clangType.show(error) ?? clangType.place,
    );
  }
}

/** The alignment of a vector in OpenCL: its size, which for three elements is that of four. */
function alignOf(dtype: string, lanes: string): number {
  const bytes = Number(/\d+$/.exec(dtype)?.[0]) / BITS;
  return bytes * (lanes === '3' ? 4 : Number(lanes));
}

function shown({ said, space }: ClangType): string {
  return space === CONSTANT && said.endsWith('*') ? `__constant ${said}` : said;
}

function remedyOf({ type, space }: ClangType): string {
  if (/^(image|sampler)/.test(type)) return 'take a __global pointer, and sizes as numbers';
  if (!type.endsWith('*'))
    return 'take its parts as parameters of their own, or a struct that has it';
  if (space === CONSTANT) return 'declare it __global const';
  return 'take one pointer for each field, or bytes as uchar';
}
