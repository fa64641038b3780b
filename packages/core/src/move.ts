import type { ArrayDescriptor, Base, Layout } from './descriptor.js';

/**
 * What changes when the element with all-zero indices becomes the one `bytes` further: the pointer,
 * and SUAI's offset, which counts elements; without a whole number of them the base is lost.
 */
export function move(array: ArrayDescriptor, bytes: number): Pick<Layout, 'pointer' | 'base'> {
  return {
    pointer: array.pointer + BigInt(bytes),
    base: array.base === null ? null : moveBase(array.base, bytes / array.itemsize),
  };
}

function moveBase(base: Base, elements: number): Base | null {
  const elementOffset = base.elementOffset + elements;
  if (!Number.isSafeInteger(elementOffset)) return null;
  return Object.freeze({ pointer: base.pointer, elementOffset });
}
