import { Failure } from '../output/failure.js';

/** A kernel's name and parameters, as its source declares them. */
export interface Signature {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly type: ParameterType }[];
}

/** A number, or an array of numbers and how the kernel accesses it. */
export interface ParameterType {
  readonly kind: 'number' | 'read' | 'write' | 'local';
  readonly dtype: string;
}

const DTYPES: Readonly<Record<string, string>> = {
  char: 'int8',
  uchar: 'uint8',
  short: 'int16',
  ushort: 'uint16',
  int: 'int32',
  uint: 'uint32',
  long: 'int64',
  ulong: 'uint64',
  float: 'float32',
  double: 'float64',
};
/** Types that only arrays may have, since arithmetic on them is an extension. */
const ARRAY_DTYPES: Readonly<Record<string, string>> = { ...DTYPES, half: 'float16' };

/** Address spaces, as `-cl-kernel-arg-info` numbers them. */
const GLOBAL = 1;
const LOCAL = 3;

/** LLVM quotes a name if a label in its source made it an unusual one. */
const DEFINITION = /^define\b.*?\bspir_kernel void @(?:"([^"]*)"|([^"(]+))\(.*$/gm;
/** A name that is valid in OpenCL C and in a module. */
const NAME = /^[A-Za-z_]\w*$/;

/**
 * The kernels of a module, read from what clang's `-cl-kernel-arg-info` wrote into its LLVM IR,
 * where every typedef and macro is resolved. Throws Failure for a parameter that no launch can
 * pass.
 */
export function readSignatures(ir: string): Signature[] {
  const nodes = new Map(
    [...ir.matchAll(/^!(\d+) = !\{(.*)\}$/gm)].map(([, id, text]) => [
      id as string,
      text as string,
    ]),
  );
  return [...ir.matchAll(DEFINITION)].map(([line, quoted, plain]) => {
    const name = checkName(quoted ?? plain ?? '', 'kernel');
    const info = (kind: string) =>
      nodes.get(new RegExp(`!kernel_arg_${kind} !(\\d+)`).exec(line)?.[1] ?? '') ?? '';
    const spaces = [...info('addr_space').matchAll(/\bi32 (\d+)/g)].map(([, n]) => Number(n));
    const types = strings(info('base_type'));
    const said = strings(info('type'));
    const qualifiers = strings(info('type_qual'));
    const names = strings(info('name'));
    const parameters = types.map((type, i) => {
      const own = names[i] || `number ${i}`;
      const location = `parameter ${own} of ${name}`;
      if (!names[i]) throw new Failure(`${location}: expected a name, got none`);
      checkName(own, `parameter of ${name}`);
      return {
        name: own,
        type: readType({
          location,
          type,
          said: said[i] ?? type,
          space: spaces[i] ?? 0,
          isConst: /\bconst\b/.test(qualifiers[i] ?? ''),
        }),
      };
    });
    return { name, parameters };
  });
}

/** Throws for a name that is unsafe in code: it becomes part of the generated module. */
function checkName(name: string, what: string): string {
  if (NAME.test(name)) return name;
  throw new Failure(
    `${what} ${name}: expected a name of letters, digits and _ that begins with no digit`,
  );
}

function strings(text: string): string[] {
  return [...text.matchAll(/!"((?:[^"\\]|\\.)*)"/g)].map(([, one]) => one as string);
}

interface ClangType {
  readonly location: string;
  /** Without typedefs. */
  readonly type: string;
  /** As the source writes it. */
  readonly said: string;
  readonly space: number;
  readonly isConst: boolean;
}

function readType(clangType: ClangType): ParameterType {
  const { type, space, isConst } = clangType;
  const number = DTYPES[type];
  if (number !== undefined) return { kind: 'number', dtype: number };
  const dtype = type.endsWith('*') ? ARRAY_DTYPES[type.slice(0, -1)] : undefined;
  if (dtype !== undefined && space === LOCAL) return { kind: 'local', dtype };
  if (dtype !== undefined && space === GLOBAL) return { kind: isConst ? 'read' : 'write', dtype };
  throw new Failure(
    `${clangType.location}: expected a number, or a __global or __local pointer to numbers, got ` +
      `${shown(clangType)}; ${remedyOf(clangType)}`,
  );
}

function shown({ said, space }: ClangType): string {
  return space === 2 && said.endsWith('*') ? `__constant ${said}` : said;
}

function remedyOf({ type, space }: ClangType): string {
  if (/^(image|sampler)/.test(type)) return 'take a __global pointer, and sizes as numbers';
  if (!type.endsWith('*')) return 'take its parts as parameters of their own';
  if (space === 2) return 'declare it __global const';
  if (type.includes('ext_vector_type'))
    return 'take a pointer to its numbers, and load with vload4';
  return 'take one pointer for each field, or bytes as uchar';
}
