import type { ArrayDescriptor } from '../descriptor/descriptor.js';
import type { DType } from '../dtype/dtype.js';
import { ownName } from '../dtype/named-dtypes.js';
import { toDescr } from '../dtype/to-descr.js';

/** The name of a rule. */
export type Rule =
  | 'noMask'
  | 'noStream'
  | 'noDefaultStream'
  | 'writable'
  | 'version2'
  | 'version3'
  | 'nativeByteOrder'
  | 'nativeFields'
  | 'noFields'
  | 'paddingNames'
  | 'someBytes'
  | 'noUnit'
  | 'noText'
  | 'textInCOrder'
  | 'numbers'
  | 'realNumbers'
  | 'columnOfNumbers'
  | 'numbersDatesOrRecords'
  | 'wholeElements'
  | 'forward'
  | 'cOrder'
  | 'cOrFortranOrder'
  | 'permuted'
  | 'dense'
  | 'someAxis'
  | 'oneAxis'
  | 'countable'
  | 'aligned64'
  | 'within32Bits'
  | 'numbersOrSmallFloats'
  | 'numbersOfPyTorch'
  | 'numbersButComplex32';

/** What a consumer requires of an array, and how to satisfy it. */
export interface Requirement {
  readonly expected: string;
  readonly cure: string;
  /** What the consumer loses if it does not check the rule. */
  readonly lost?: string;
  /** Whether an array, written in this version of its protocol, satisfies the rule. */
  readonly keeps: (array: ArrayDescriptor, version: number) => boolean;
}

const COPY = 'copy it first';
const CAST = 'cast it, or view it as bytes';

/** Every rule that the table of consumers names. */
export const RULES: Readonly<Record<Rule, Requirement>> = {
  noMask: {
    expected: 'an array without a mask',
    cure: 'pass the mask separately',
    lost: 'the mask',
    keeps: ({ mask }) => mask === null,
  },
  noStream: {
    expected: 'no pending work',
    cure: 'wait for the stream first',
    lost: 'pending work',
    keeps: ({ stream }) => stream === null,
  },
  noDefaultStream: {
    expected: 'no pending work on a default stream',
    cure: 'wait for the stream first',
    lost: 'pending work',
    keeps: ({ stream }) => stream !== 1n && stream !== 2n,
  },
  writable: {
    expected: 'a writable array',
    cure: COPY,
    lost: 'that it is read-only',
    keeps: ({ readOnly }) => !readOnly,
  },
  version2: {
    expected: 'version 2 or later of the interface',
    cure: 'write version 3',
    keeps: (_, version) => version >= 2,
  },
  version3: {
    expected: 'version 3 or later of the interface',
    cure: 'write version 3',
    keeps: (_, version) => version >= 3,
  },
  nativeByteOrder: {
    expected: 'native byte order',
    cure: 'copy it into native byte order first',
    lost: 'the byte order',
    keeps: ({ dtype }) => dtype.byteOrder !== 'big',
  },
  nativeFields: {
    expected: 'native byte order in every field',
    cure: 'copy it into native byte order first',
    lost: 'the byte order of fields',
    keeps: ({ dtype }) => nativeFields(dtype),
  },
  noFields: {
    expected: 'elements other than records',
    cure: 'pass the fields one by one',
    lost: 'the fields',
    keeps: ({ dtype }) => dtype.fields === null,
  },
  paddingNames: {
    expected: 'no field with a name that NumPy gives padding (f0, f1, …)',
    cure: 'rename the field',
    keeps: ({ dtype }) => paddingNames(dtype),
  },
  someBytes: {
    expected: 'elements of at least one byte',
    cure: 'describe them as bytes',
    keeps: ({ itemsize }) => itemsize > 0,
  },
  noUnit: {
    expected: 'a dtype without a unit of time',
    cure: 'view it as int64',
    keeps: ({ dtype }) => !dtype.typestr.includes('['),
  },
  noText: {
    expected: 'elements other than Unicode text, whose typestr counts characters of 4 bytes',
    cure: 'view it as uint32',
    lost: 'that characters take 4 bytes',
    keeps: ({ dtype }) => dtype.kind !== 'U',
  },
  textInCOrder: {
    expected: 'Unicode text in C order',
    cure: COPY,
    keeps: ({ dtype, contiguous }) => dtype.kind !== 'U' || contiguous.c,
  },
  numbers: {
    expected: 'booleans, integers, floats of up to 8 bytes or complex numbers of up to 16',
    cure: CAST,
    keeps: ({ dtype }) => isNumber(dtype, 8, 16),
  },
  realNumbers: {
    expected: 'booleans, integers or floats of up to 8 bytes',
    cure: 'cast it, or view it as numbers',
    keeps: ({ dtype }) => isNumber(dtype, 8, 0),
  },
  columnOfNumbers: {
    expected: 'booleans, integers, floats of 4 or 8 bytes, or dates in s, ms, us or ns',
    cure: 'cast it',
    keeps: ({ dtype }) =>
      (isNumber(dtype, 8, 0) && dtype.typestr !== '<f2') || COLUMN_DATE.test(dtype.typestr),
  },
  numbersDatesOrRecords: {
    expected: 'numbers, dates, opaque items or records',
    cure: 'view it as bytes',
    keeps: ({ dtype }) => isNumber(dtype, 8, 16) || 'mMV'.includes(dtype.kind),
  },
  wholeElements: {
    expected: 'strides of whole elements',
    cure: COPY,
    keeps: ({ elementStrides, contiguous }) => contiguous.c || elementStrides !== null,
  },
  forward: {
    expected: 'non-negative strides',
    cure: COPY,
    lost: 'that strides are negative',
    keeps: ({ shape, byteStrides, size }) =>
      size === 0 || byteStrides.every((stride, axis) => stride >= 0 || shape[axis] === 1),
  },
  cOrder: {
    expected: 'elements in C order without gaps',
    cure: COPY,
    lost: 'the strides',
    keeps: ({ contiguous }) => contiguous.c,
  },
  cOrFortranOrder: {
    expected: 'elements in C or Fortran order without gaps',
    cure: COPY,
    keeps: ({ contiguous }) => contiguous.c || contiguous.f,
  },
  permuted: {
    expected: 'elements without gaps, with the axes in any order',
    cure: COPY,
    keeps: isPermuted,
  },
  dense: {
    expected: 'elements that span as many bytes as they have',
    cure: COPY,
    keeps: ({ extent: [low, high], nbytes }) => high - low === nbytes,
  },
  someAxis: {
    expected: 'at least one axis',
    cure: 'add one with expandDims',
    keeps: ({ ndim }) => ndim > 0,
  },
  oneAxis: {
    expected: 'one axis',
    cure: 'reshape it',
    keeps: ({ ndim }) => ndim === 1,
  },
  countable: {
    expected: 'less than 2^63 bytes with every axis of length 0 counted as 1',
    cure: 'shorten the other axes',
    keeps: ({ shape, itemsize }) =>
      shape.reduce((bytes, n) => bytes * BigInt(n || 1), BigInt(itemsize)) < 2n ** 63n,
  },
  aligned64: {
    expected: 'a first element aligned to 64 bytes',
    cure: "copy it into a backend's memory, which is aligned",
    lost: 'later changes (it copies what is not aligned to 64 bytes)',
    keeps: ({ pointer, size }) => size === 0 || pointer % 64n === 0n,
  },
  within32Bits: {
    expected: 'numbers of up to 32 bits, and complex ones of up to 64',
    cure: 'set jax_enable_x64',
    lost: '64 bits (it copies them to 32 without jax_enable_x64)',
    keeps: ({ dtype }) => dtype.itemsize <= (dtype.kind === 'c' ? 8 : 4),
  },
  numbersOrSmallFloats: {
    expected: 'booleans, integers, floats, complex64, complex128, bfloat16 or floats of 8 bits',
    cure: CAST,
    keeps: ({ dtype }) => isNumber(dtype, 8, 16) || SMALL_FLOAT.test(ownName(dtype) ?? ''),
  },
  numbersOfPyTorch: {
    expected: 'numbers that PyTorch has',
    cure: CAST,
    keeps: ({ dtype }) => isNumber(dtype, 8, 16) || OF_PYTORCH.has(ownName(dtype) ?? ''),
  },
  numbersButComplex32: {
    expected: 'numbers other than complex32',
    cure: CAST,
    keeps: ({ dtype }) =>
      'biufc'.includes(dtype.kind) || !['complex32', undefined].includes(ownName(dtype)),
  },
};

const SMALL_FLOAT = /^(?:bfloat16|float8_.*)$/;
const OF_PYTORCH: ReadonlySet<string> = new Set([
  ...['complex32', 'bfloat16', 'float8_e4m3fn', 'float8_e4m3fnuz', 'float8_e5m2'],
  ...['float8_e5m2fnuz', 'float8_e8m0fnu', 'float4_e2m1fn_x2'],
]);

const COLUMN_DATE = /^<[mM]8\[(?:s|ms|us|ns)\]$/;

function isNumber({ kind, itemsize }: DType, float: number, complex: number): boolean {
  if (kind === 'f') return itemsize <= float;
  if (kind === 'c') return itemsize <= complex;
  return 'biu'.includes(kind);
}

function nativeFields({ fields }: DType): boolean {
  return (fields ?? []).every(
    ({ dtype }) => dtype.byteOrder !== 'big' && (dtype.fields === null || nativeFields(dtype)),
  );
}

/** NumPy names padding after its position in `descr`, even if a field has that name. */
function paddingNames(dtype: DType): boolean {
  if (dtype.fields === null) return true;
  const names = toDescr(dtype).map(([name], position) => (name === '' ? `f${position}` : name));
  const flat = names.flat();
  return new Set(flat).size === flat.length && dtype.fields.every((one) => paddingNames(one.dtype));
}

/** Whether the axes, sorted by stride, are dense. Axes of length 1 do not count. */
function isPermuted({ shape, byteStrides, itemsize, size }: ArrayDescriptor): boolean {
  if (size === 0) return true;
  const axes = [...shape.keys()].filter((axis) => shape[axis] !== 1);
  axes.sort((a, b) => (byteStrides[a] as number) - (byteStrides[b] as number));
  let step = itemsize;
  return axes.every((axis) => {
    const fits = byteStrides[axis] === step;
    step *= shape[axis] as number;
    return fits;
  });
}
