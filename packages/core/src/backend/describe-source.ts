import { type ArrayDescriptor, isArrayDescriptor } from '../descriptor/descriptor.js';
import { fromProducer } from '../protocols/from-producer.js';
import type { ArrayLike, BackendArray } from './array.js';
import { memoryOf } from './memory.js';

/** The descriptor of anything that an array function takes. It does not export our own arrays. */
export function describeSource(source: ArrayLike): ArrayDescriptor {
  return describeOwn(source) ?? fromProducer(source);
}

/** The descriptor of an array of ours, or the descriptor itself. Null for anything foreign. */
export function describeOwn(source: ArrayLike): ArrayDescriptor | null {
  if (isArrayDescriptor(source)) return source;
  return memoryOf(source) === null ? null : (source as BackendArray).descriptor;
}
