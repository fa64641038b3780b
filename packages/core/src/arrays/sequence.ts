import type { BackendArray, OwnedArray } from '../backend/interface/array.js';
import type { EmptyOptions } from '../backend/interface/options.js';
import { type ArrayDescriptor, replace } from '../descriptor/descriptor.js';
import { relativeLayout } from '../descriptor/relative-layout.js';
import type { DType } from '../dtype/dtype.js';
import { dtype } from '../dtype/read-dtype.js';
import type { TypedArray } from '../numbers/typed-array.js';
import { inOrder, type Maker } from './work.js';

/** Elements that are computed at a time: 2 MiB of doubles. */
const CHUNK = 2 ** 18;

/** Numbers by their index, computed in JavaScript. */
export interface Sequence {
  readonly length: number;
  /** The typed array that they are written to: one of native numbers. */
  readonly elements: 'float64' | 'float32' | 'int64' | 'uint64';
  /** Writes the elements from `first` on. */
  write(elements: TypedArray, first: number): void;
}

const ARRAYS = {
  float64: Float64Array,
  float32: Float32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
} as const;

/** Returns a new array of a sequence's numbers, converted as by an `unsafe` copy. */
export function sequenced<A extends BackendArray>(
  maker: Maker<A>,
  sequence: Sequence,
  type: DType,
  options: EmptyOptions,
): Promise<OwnedArray<A>> {
  return inOrder(maker, {}, (work) => {
    const made = work.make([sequence.length], type, options);
    for (let first = 0; first < sequence.length; first += CHUNK) {
      const count = Math.min(CHUNK, sequence.length - first);
      work.copy(part(made.descriptor, first, count), computed(sequence, first, count));
    }
    return made;
  });
}

function part(array: ArrayDescriptor, first: number, count: number): ArrayDescriptor {
  const pointer = array.pointer + BigInt(first * (array.byteStrides[0] as number));
  return replace(array, { pointer, shape: [count] });
}

function computed(sequence: Sequence, first: number, count: number): ArrayDescriptor {
  const elements = new ARRAYS[sequence.elements](count);
  sequence.write(elements, first);
  return relativeLayout([count], dtype(sequence.elements), null, elements.buffer);
}
