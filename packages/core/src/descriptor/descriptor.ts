import type { DType } from '../dtype/dtype.js';
import { show } from '../errors/show.js';
import { withFallback } from '../errors/with-fallback.js';
import { notAnArray } from '../input/instead-of-array.js';
import { sizeOf } from '../input/shape.js';
import { type Contiguity, contiguity, type Extent, extent, type Layout } from './layout.js';
import { type ByteStrides, type ElementStrides, toElementStrides } from './strides.js';
import { inspectDescriptor, summary } from './summary.js';

const brand = Symbol.for('array-interface.descriptor');

/**
 * The description of one array in memory: address, layout and dtype. Immutable. Only core's
 * readers, `makeDescriptor` and views create one. It is a claim, not access: only a backend can
 * verify that the memory exists.
 */
export class ArrayDescriptor {
  // `declare`, since real fields would be set twice
  /**
   * Address of the element with all-zero indices, or its offset in bytes in `buffer` if there is
   * one.
   */
  declare readonly pointer: bigint;
  /** Lengths of the axes. */
  declare readonly shape: readonly number[];
  /** Bytes from one element to the next along each axis; negative if the axis is reversed. */
  declare readonly byteStrides: ByteStrides;
  /** The dtype of the elements. */
  declare readonly dtype: DType;
  /** Whether the producer forbids writing. */
  declare readonly readOnly: boolean;
  /** SUAI's `data` and `offset`, which lead to the pointer, or null. */
  declare readonly base: { readonly pointer: bigint; readonly elementOffset: number } | null;
  /**
   * CAI's stream: 1n for the legacy default, 2n for the per-thread default, or a handle. Null if no
   * work is pending.
   */
  declare readonly stream: bigint | null;
  /** SUAI's `syclobj`, unchanged, or null. */
  declare readonly syclobj: unknown;
  /** Which elements are valid. Null: all are. */
  declare readonly mask: ArrayDescriptor | null;
  /** The JavaScript buffer that contains the elements. Null if `pointer` is an address. */
  declare readonly buffer: ArrayBufferLike | null;
  /** What must stay alive while the memory is used. */
  declare readonly owner: unknown;
  // Computed on first use; each copy reads them several times.
  #size = -1;
  #extent: Extent | null = null;
  #contiguous: Contiguity | null = null;

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

  /** Size of a dense copy in bytes: `size` times `itemsize`, or the packed bits of a bit field. */
  get nbytes(): number {
    return this.dtype.kind === 't' ? Math.ceil(this.size / 8) : this.size * this.itemsize;
  }

  /** `byteStrides` in elements. Null if any stride is not a whole number of elements. */
  get elementStrides(): ElementStrides | null {
    return toElementStrides(this.byteStrides, this.itemsize);
  }

  /** Whether the elements are dense in C order, in Fortran order, or both. */
  get contiguous(): { readonly c: boolean; readonly f: boolean } {
    if (!(#contiguous in this)) return findContiguity(this);
    this.#contiguous ??= Object.freeze(findContiguity(this));
    return this.#contiguous;
  }

  /** The range of bytes that the elements occupy, `[low, high)`, relative to `pointer`. */
  get extent(): readonly [low: number, high: number] {
    if (!(#extent in this)) return findExtent(this);
    this.#extent ??= findExtent(this);
    return [this.#extent[0], this.#extent[1]]; // a copy, so that writing to it changes no bounds
  }

  /** Returns one line for logs: dtype, shape, location, bytes, order, and special properties. */
  toString(): string {
    return `ArrayDescriptor(${summary(this)})`;
  }
}

/** Returns the same array with some parts changed. Does not check them. */
export function replace(array: ArrayDescriptor, changes: Partial<Layout>): ArrayDescriptor {
  return new ArrayDescriptor({ ...array, ...changes });
}

function findContiguity({ shape, byteStrides, itemsize }: ArrayDescriptor): Contiguity {
  return contiguity(shape, byteStrides, itemsize);
}

function findExtent({ dtype, nbytes, shape, byteStrides }: ArrayDescriptor): Extent {
  return dtype.kind === 't' ? [0, nbytes] : extent(shape, byteStrides, dtype.itemsize);
}

/** Returns whether `value` is a descriptor, of any installed copy of core. Never throws. */
export function isArrayDescriptor(value: unknown): value is ArrayDescriptor {
  if (typeof value !== 'object' || value === null) return false;
  return withFallback(() => (value as { readonly [brand]?: unknown })[brand] === true, false);
}

/** Throws ERR_TYPE unless `value` is a descriptor. */
export function assertArrayDescriptor(
  value: unknown,
  path: string,
): asserts value is ArrayDescriptor {
  if (!isArrayDescriptor(value)) {
    const expected = 'an ArrayDescriptor, or an array of a backend';
    const cure = 'make one with fromProducer() or a from… function';
    throw notAnArray('ERR_TYPE', path, expected, value, undefined, { got: show(value), cure });
  }
}
