import type { DType } from '../dtype/dtype.js';
import { ArrayInterfaceError } from '../errors/error.js';
import { sizeOf } from '../input/shape.js';
import {
  type Base,
  type Contiguity,
  contiguity,
  type Extent,
  extent,
  type Layout,
} from './layout.js';
import { type ByteStrides, type ElementStrides, toElementStrides } from './strides.js';
import { inspectDescriptor, summary } from './summary.js';

const brand = Symbol.for('array-interface.descriptor');

/**
 * One array in somebody's memory. Immutable, made only by core's readers, `makeDescriptor` and
 * views; a claim, not access: only a backend can say that the memory is there.
 */
export class ArrayDescriptor implements Layout {
  // declared only: fields of JavaScript would be set twice
  declare readonly pointer: bigint;
  declare readonly shape: readonly number[];
  declare readonly byteStrides: ByteStrides;
  declare readonly dtype: DType;
  declare readonly readOnly: boolean;
  declare readonly base: Base | null;
  declare readonly stream: bigint | null;
  declare readonly syclobj: unknown;
  declare readonly mask: ArrayDescriptor | null;
  declare readonly buffer: ArrayBufferLike | null;
  declare readonly owner: unknown;
  // What follows from the layout and each copy asks for several times: found when first asked for.
  #size = -1;
  #low = 0;
  #high = -1;

  /** @internal Takes what was already checked; shape and strides become its own, frozen. */
  constructor(layout: Layout) {
    this.pointer = layout.pointer;
    this.shape = Object.freeze(layout.shape);
    this.byteStrides = Object.freeze(layout.byteStrides);
    this.dtype = layout.dtype;
    this.readOnly = layout.readOnly;
    this.base = layout.base;
    this.stream = layout.stream;
    this.syclobj = layout.syclobj;
    this.mask = layout.mask as ArrayDescriptor | null;
    this.buffer = layout.buffer;
    this.owner = layout.owner;
    Object.freeze(this);
  }

  static {
    // marks descriptors of every installed copy of this package
    Object.defineProperty(ArrayDescriptor.prototype, brand, { value: true });
    const inspect = Symbol.for('nodejs.util.inspect.custom');
    Object.defineProperty(ArrayDescriptor.prototype, inspect, { value: inspectDescriptor });
  }

  get ndim(): number {
    return this.shape.length;
  }

  /** Bytes of one element. */
  get itemsize(): number {
    return this.dtype.itemsize;
  }

  /** Number of elements. */
  get size(): number {
    if (!(#size in this)) return sizeOf((this as ArrayDescriptor).shape); // of a proxy
    if (this.#size < 0) this.#size = sizeOf(this.shape);
    return this.#size;
  }

  /** `size` times `itemsize`: the bytes that a dense copy takes; the bits of a bit field packed. */
  get nbytes(): number {
    return this.dtype.kind === 't' ? Math.ceil(this.size / 8) : this.size * this.itemsize;
  }

  /** Null as a whole when any byte stride is not a whole number of elements. */
  get elementStrides(): ElementStrides | null {
    return toElementStrides(this.byteStrides, this.itemsize);
  }

  get contiguous(): Contiguity {
    return contiguity(this.shape, this.byteStrides, this.itemsize);
  }

  /** `[low, high)` bytes that the elements touch, relative to `pointer`. */
  get extent(): Extent {
    if (!(#high in this)) return findExtent(this);
    if (this.#high < 0) [this.#low, this.#high] = findExtent(this);
    return [this.#low, this.#high]; // a list of the caller's own: who writes to it moves no bounds
  }

  /** The same array with some of it said differently; used by the views. @internal */
  with(changes: Partial<Layout>): ArrayDescriptor {
    return new ArrayDescriptor({ ...this, ...changes });
  }

  /** One line for logs: dtype, shape, place, bytes, order, and what is special. */
  toString(): string {
    return `ArrayDescriptor(${summary(this)})`;
  }
}

function findExtent({ dtype, nbytes, shape, byteStrides }: ArrayDescriptor): Extent {
  return dtype.kind === 't' ? [0, nbytes] : extent(shape, byteStrides, dtype.itemsize);
}

/** Tells whether `value` is a descriptor of any installed copy of core. Never throws. */
export function isArrayDescriptor(value: unknown): value is ArrayDescriptor {
  try {
    return (
      typeof value === 'object' &&
      value !== null &&
      (value as { readonly [brand]?: unknown })[brand] === true
    );
  } catch {
    return false; // a proxy that throws
  }
}

/** Throws ERR_TYPE unless `value` is a descriptor. */
export function assertArrayDescriptor(
  value: unknown,
  path: string,
): asserts value is ArrayDescriptor {
  if (isArrayDescriptor(value)) return;
  throw new ArrayInterfaceError(
    'ERR_TYPE',
    path,
    `expected an ArrayDescriptor, got ${typeof value}; make one with describe() or a from… function`,
  );
}
