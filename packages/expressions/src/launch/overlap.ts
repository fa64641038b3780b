import { type ArrayDescriptor, isArrayInterfaceError } from '@array-interface/core';
import { overlapsItself, sharesMemory } from '@array-interface/core/overlap';
import { fault } from './operands.js';

/** A search that takes longer, about a tenth of a second, counts as an overlap. */
const LIMIT = { maxWork: 100_000 };

type NamedArray = readonly [path: string, array: ArrayDescriptor];

/**
 * Throws ERR_OVERLAP if an output shares bytes with another output, or with an input unless both
 * have the same elements at the same addresses, and ERR_SELF_OVERLAP if its own elements do.
 */
export function assertApart(inputs: readonly NamedArray[], outputs: readonly NamedArray[]): void {
  for (const [index, [path, output]] of outputs.entries()) {
    if (isTrue(() => overlapsItself(output, LIMIT))) {
      throw fault('ERR_SELF_OVERLAP', path, 'elements that share no memory', 'some that do', 'pass a copy, made with array()'); // biome-ignore format: one line
    }
    const others = outputs.slice(index + 1);
    const inputsApart = inputs.filter(([, input]) => !isSame(output, input));
    for (const [other, array] of [...others, ...inputsApart]) {
      if (output.nbytes === 0 || array.nbytes === 0) continue;
      if (!isTrue(() => sharesMemory(output, array, LIMIT))) continue;
      throw fault('ERR_OVERLAP', path, 'an output that shares no bytes with others, or is exactly an input', `one that shares some with '${other}'`, 'pass a copy of one'); // biome-ignore format: one line
    }
  }
}

/** Also true if it would take long to find out. */
function isTrue(test: () => boolean): boolean {
  try {
    return test();
  } catch (error) {
    if (isArrayInterfaceError(error, 'ERR_TOO_HARD')) return true;
    throw error;
  }
}

function isSame(a: ArrayDescriptor, b: ArrayDescriptor): boolean {
  const isSamePlace = a.pointer === b.pointer && a.buffer === b.buffer && a.itemsize === b.itemsize;
  return isSamePlace && same(a.shape, b.shape) && same(a.byteStrides, b.byteStrides);
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
