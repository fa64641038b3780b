import { isArrayDescriptor } from '../../descriptor/descriptor.js';
import { show } from '../../errors/show.js';
import { type Instead, insteadOfArray } from '../../input/instead-of-array.js';
import { memoryOf } from './memory.js';

/**
 * `insteadOfArray` for functions that take arrays of their own backend only: a descriptor, or an
 * array of another backend, is none of them either.
 */
export function insteadOfOwnArray(value: unknown, backend: string): Instead {
  const memory = memoryOf(value);
  if (memory !== null) {
    const got = `an array of the ${memory.backend.name} backend`;
    return { got, cure: `copy it with await ${backend}.array(array)` };
  }
  if (isArrayDescriptor(value)) {
    const cure = `make an array of it with ${backend}.asArray(descriptor)`;
    return { got: 'a descriptor', cure };
  }
  return insteadOfArray(value, backend) ?? { got: show(value) };
}
