import type { DType } from '../dtype/dtype.js';
import { mismatch } from '../errors/mismatch.js';
import { tryOr } from '../errors/try-or.js';
import { sizeOf } from '../input/shape.js';
import { contiguity, type Extent, extent, type Layout } from './layout.js';
import { type ByteStrides, type ElementStrides, toElementStrides } from './strides.js';
import { inspectDescriptor, summary } from './summary.js';

const brand = Symbol.for('array-interface.descriptor');

/**
 * One array in somebody's memory. It is immutable, and only core's readers, `makeDescriptor` and views
 * make one. It is a claim, not access: only a backend can say that the memory is there.
 */
export class ArrayDescriptor {
  // `declare`, since real fields would be set twice
  /** Address of the element with all-zero indices; counted from `buffer`'s first byte if there is one. */
  declare readonly pointer: bigint;
  /** Lengths of the axes. */
  declare readonly shape: readonly number[];
  /** Bytes from one element to the next, for each axis; negative where the axis is reversed. */
  declare readonly byteStrides: ByteStrides;
  /** What one element is. */
  declare readonly dtype: DType;
  /** Whether its producer forbids writing. */
  declare readonly readOnly: boolean;
  /** SUAI's `data` and `offset`, or null. */
  declare readonly base: { readonly pointer: bigint; readonly elementOffset: number } | null;
  /** CAI's stream (1n legacy default, 2n per-thread default, or a handle); null if nothing is pending. */
  declare readonly stream: bigint | null;
  /** SUAI's `syclobj` as it was given, or null. */
  declare readonly syclobj: unknown;
  /** Which elements are valid; null means all. */
  declare readonly mask: ArrayDescriptor | null;
  /** The JavaScript buffer that holds the elements; null if `pointer` is an address. */
  declare readonly buffer: ArrayBufferLike | null;
  /** What must stay alive while the memory is used. */
  declare readonly owner: unknown;
  // Computed when first asked for; each copy asks several times.
  #size = -1;
  #extent: Extent | null = null;

  /** @internal Takes a checked layout; freezes and keeps its shape and strides. */
  constructor(layout: Layout) {
    this.pointer = layout.pointer;
    this.shape = Object.freeze(layout.shape);
    this.byteStrides = Object.freeze(layout.byteStrides);
    this.dtype = layout.dtype;
    this.readOnly = layout.readOnly;
    this.base = layout.base ?? null;
    this.stream = layout.stream ?? null;
    this.syclobj = layout.syclobj ?? null;
    this.mask = (layout.mask ?? null) as ArrayDescriptor | null;
    this.buffer = layout.buffer ?? null;
    this.owner = layout.owner ?? null;
    Object.freeze(this);
  }

  static {
    // marks descriptors of every installed copy of this package
    Object.defineProperty(ArrayDescriptor.prototype, brand, { value: true });
    const inspect = Symbol.for('nodejs.util.inspect.custom');
    Object.defineProperty(ArrayDescriptor.prototype, inspect, { value: inspectDescriptor });
  }

  /** Number of axes. */
  get ndim(): number {
    return this.shape.length;
  }

  /** Bytes of one element. */
  get itemsize(): number {
    return this.dtype.itemsize;
  }

  /** Number of elements. */
  get size(): number {
    if (!(#size in this)) return sizeOf((this as ArrayDescriptor).shape); // a proxy
    if (this.#size < 0) this.#size = sizeOf(this.shape);
    return this.#size;
  }

  /** Bytes that a dense copy takes: `size` times `itemsize`, or the packed bits of a bit field. */
  get nbytes(): number {
    return this.dtype.kind === 't' ? Math.ceil(this.size / 8) : this.size * this.itemsize;
  }

  /** `byteStrides` in elements; null if any of them is not a whole number of elements. */
  get elementStrides(): ElementStrides | null {
    return toElementStrides(this.byteStrides, this.itemsize);
  }

  /** Whether the elements lie densely in C order, in Fortran order, or both. */
  get contiguous(): { readonly c: boolean; readonly f: boolean } {
    return contiguity(this.shape, this.byteStrides, this.itemsize);
  }

  /** `[low, high)` bytes that the elements touch, relative to `pointer`. */
  get extent(): readonly [low: number, high: number] {
    if (!(#extent in this)) return findExtent(this);
    this.#extent ??= findExtent(this);
    return [this.#extent[0], this.#extent[1]]; // a copy: writing to it moves no bounds
  }

  /** One line for logs: dtype, shape, place, bytes, order, and what is special. */
  toString(): string {
    return `ArrayDescriptor(${summary(this)})`;
  }
}

/** The same array with some parts changed; unchecked. */
export function replace(array: ArrayDescriptor, changes: Partial<Layout>): ArrayDescriptor {
  return new ArrayDescriptor({ ...array, ...changes });
}

function findExtent({ dtype, nbytes, shape, byteStrides }: ArrayDescriptor): Extent {
  return dtype.kind === 't' ? [0, nbytes] : extent(shape, byteStrides, dtype.itemsize);
}

/** Tells whether `value` is a descriptor of any installed copy of core. Never throws. */
export function isArrayDescriptor(value: unknown): value is ArrayDescriptor {
  if (typeof value !== 'object' || value === null) return false;
  return tryOr(() => (value as { readonly [brand]?: unknown })[brand] === true, false);
}

/** Throws ERR_TYPE unless `value` is a descriptor. */
export function assertArrayDescriptor(
  value: unknown,
  path: string,
): asserts value is ArrayDescriptor {
  if (isArrayDescriptor(value)) return;
  throw mismatch(
    'ERR_TYPE',
    path,
    'an ArrayDescriptor',
    typeof value,
    'make one with fromProducer() or a from… function',
  );
}
