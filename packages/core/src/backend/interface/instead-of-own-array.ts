import { isArrayDescriptor } from '../../descriptor/descriptor.js';
import { show } from '../../errors/show.js';
import { withFallback } from '../../errors/with-fallback.js';
import { type Instead, insteadOfArray } from '../../input/instead-of-array.js';
import { memoryOf } from './memory.js';
import { arrayProducer } from './producer.js';

/**
 * `insteadOfArray` for functions that take arrays of their own backend only: a descriptor, an array
 * of another backend, or another language's object is none of them either.
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
  if (withFallback(() => arrayProducer in (value as object), false)) {
    const cure = `make an array of it with ${backend}.asArray(object)`;
    return { got: "another language's object", cure };
  }
  return insteadOfArray(value, backend) ?? { got: show(value) };
}
