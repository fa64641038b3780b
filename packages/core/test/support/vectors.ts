import type { ArrayDescriptor, ErrorCode, InterfaceDict } from '../../src/index.js';
import conversion from './vectors/conversion.json' with { type: 'json' };
import cuda from './vectors/cuda-array-interface.json' with { type: 'json' };
import sycl from './vectors/sycl-usm-array-interface.json' with { type: 'json' };

interface Expectation {
  readonly ok: boolean;
  /** Of a refusal. */
  readonly code: ErrorCode;
  readonly path?: string;
  readonly [field: string]: unknown;
}

export interface Vector {
  readonly id: string;
  readonly desc: InterfaceDict;
  readonly expect: Expectation;
  readonly from?: 'cuda' | 'sycl';
  readonly to?: 'cuda' | 'sycl';
}

const FILES = {
  'conversion.json': conversion,
  'cuda-array-interface.json': cuda,
  'sycl-usm-array-interface.json': sycl,
};

/** The cases of one file, with the values that JSON cannot hold put in their place. */
export function readVectors(file: keyof typeof FILES): readonly Vector[] {
  return (JSON.parse(JSON.stringify(FILES[file]), revive) as { vectors: Vector[] }).vectors;
}

function revive(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$int' in value) return BigInt(value.$int as string);
  if ('$js' in value) return Number(value.$js);
  if ('$capsule' in value) return { name: value.$capsule, pointer: 4096n };
  if ('$queue' in value) return { _get_capsule: () => ({ name: 'SyclQueueRef', pointer: 4096n }) };
  if ('$context' in value) {
    return { _get_capsule: () => ({ name: 'SyclContextRef', pointer: 4096n }) };
  }
  return value;
}

/** What the vectors say of a descriptor, in their words. */
export function reported(array: ArrayDescriptor): Record<string, unknown> {
  const { dtype, base, mask } = array;
  return {
    ok: true,
    pointer: String(array.pointer),
    shape: array.shape,
    byteStrides: array.byteStrides,
    elementStrides: array.elementStrides,
    itemsize: array.itemsize,
    kind: dtype.kind,
    byteOrder: dtype.byteOrder,
    size: array.size,
    nbytes: array.nbytes,
    readOnly: array.readOnly,
    stream: array.stream === null ? null : String(array.stream),
    contiguous: array.contiguous,
    extent: array.extent,
    base: base && { pointer: String(base.pointer), elementOffset: base.elementOffset },
    fields: dtype.fields?.map(({ name, offset, itemsize }) => ({ name, offset, itemsize })) ?? null,
    mask: mask && { kind: mask.dtype.kind, shape: mask.shape },
  };
}
