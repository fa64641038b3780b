import { type ArrayDescriptor, type DTypeName, makeDescriptor } from '@array-interface/core';

const CLASSES = {
  bool: Uint8Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  float16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
  complex64: Float32Array,
  complex128: Float64Array,
} as const;

/** The elements of a result, as a typed array has them. */
export function elementsOf({ buffer, dtype: { name } }: ArrayDescriptor): (number | bigint)[] {
  return [...new CLASSES[name as DTypeName](buffer as ArrayBuffer)];
}

/** An array of one axis in memory of JavaScript. */
export function of(type: DTypeName, ...values: (number | bigint)[]): ArrayDescriptor {
  const Class = CLASSES[type] as unknown as { from(values: readonly unknown[]): Uint8Array };
  const { buffer } = Class.from(values);
  const parts = type.startsWith('complex') ? 2 : 1;
  return makeDescriptor({ pointer: 0, shape: [values.length / parts], dtype: type, buffer });
}
