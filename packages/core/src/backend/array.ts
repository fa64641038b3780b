import { broadcastTo } from '../broadcast-to.js';
import type { ArrayDescriptor } from '../descriptor.js';
import type { DType, DTypeLike } from '../dtype.js';
import { ArrayInterfaceError } from '../error.js';
import { expandDims } from '../expand-dims.js';
import { field } from '../field.js';
import { flip } from '../flip.js';
import { permuteDims } from '../permute-dims.js';
import { type ReshapeOptions, reshape } from '../reshape.js';
import { type SliceRange, slice } from '../slice.js';
import { squeeze } from '../squeeze.js';
import type { ByteStrides, ElementStrides } from '../strides.js';
import { transpose } from '../transpose.js';
import { view } from '../view.js';
import type { Backend } from './backend.js';
import { answersWithMemory, type Memory } from './memory.js';

/**
 * An array of a backend: a descriptor and the memory behind it. Views share the memory, which is
 * given back when the last array on it is disposed; garbage collection is only a safety net.
 */
export abstract class BackendArray implements Disposable {
  readonly memory: Memory;
  readonly #descriptor: ArrayDescriptor;
  #disposed = false;

  constructor(memory: Memory, descriptor: ArrayDescriptor) {
    this.memory = memory;
    this.#descriptor =
      descriptor.owner === memory ? descriptor : descriptor.with({ owner: memory });
    memory.retain();
  }

  /** An array of the same class over the same memory. @internal */
  protected abstract over(descriptor: ArrayDescriptor): this;

  get backend(): Backend {
    return this.memory.backend;
  }

  /** Layout and dtype; its owner is the memory. Throws ERR_DISPOSED. */
  get descriptor(): ArrayDescriptor {
    this.assertLive('array');
    return this.#descriptor;
  }

  get shape(): readonly number[] {
    return this.#descriptor.shape;
  }

  get dtype(): DType {
    return this.#descriptor.dtype;
  }

  get byteStrides(): ByteStrides {
    return this.#descriptor.byteStrides;
  }

  get elementStrides(): ElementStrides | null {
    return this.#descriptor.elementStrides;
  }

  get pointer(): bigint {
    return this.#descriptor.pointer;
  }

  get readOnly(): boolean {
    return this.#descriptor.readOnly;
  }

  get disposed(): boolean {
    return this.#disposed;
  }

  /** A view of part of each axis; see `slice`. Does not copy. */
  slice(ranges: readonly SliceRange[]): this {
    return this.over(slice(this.descriptor, ranges));
  }

  /** A view with the axes in another order; see `permuteDims`. Does not copy. */
  permuteDims(axes: readonly number[]): this {
    return this.over(permuteDims(this.descriptor, axes));
  }

  /** A view with the axes in reverse, or in the order of `axes`; see `transpose`. Does not copy. */
  transpose(axes?: readonly number[]): this {
    return this.over(transpose(this.descriptor, axes));
  }

  /** A view with one or several axes reversed; see `flip`. Does not copy. */
  flip(axes?: number | readonly number[]): this {
    return this.over(flip(this.descriptor, axes));
  }

  /** A view in another shape; ERR_NOT_A_VIEW where there is none; see `reshape`. Does not copy. */
  reshape(shape: readonly number[], options?: ReshapeOptions): this {
    return this.over(reshape(this.descriptor, shape, options));
  }

  /** A read-only view repeated to a shape; see `broadcastTo`. Does not copy. */
  broadcastTo(shape: readonly number[]): this {
    return this.over(broadcastTo(this.descriptor, shape));
  }

  /** A view with new axes of length 1; see `expandDims`. Does not copy. */
  expandDims(axes: number | readonly number[]): this {
    return this.over(expandDims(this.descriptor, axes));
  }

  /** A view without axes of length 1; see `squeeze`. Does not copy. */
  squeeze(axes?: number | readonly number[]): this {
    return this.over(squeeze(this.descriptor, axes));
  }

  /** A view of one field of a record; see `field`. Does not copy. */
  field(...names: readonly string[]): this {
    return this.over(field(this.descriptor, ...names));
  }

  /** A view of the same bytes as another dtype; see `view`. Does not copy. */
  view(dtype: DTypeLike): this {
    return this.over(view(this.descriptor, dtype));
  }

  /** Settles when all our work on this memory has ended; holds no thread. */
  synchronize(): Promise<void> {
    this.assertLive('array');
    return this.memory.synchronize();
  }

  /** Throws ERR_DISPOSED once this array was disposed. @internal */
  assertLive(path: string): void {
    this.memory.assertLive(path);
    if (!this.#disposed) return;
    throw new ArrayInterfaceError(
      'ERR_DISPOSED',
      path,
      'expected a live array, got one that was disposed; dispose it after its last use',
    );
  }

  /** Ends this array; using it afterwards is ERR_DISPOSED. Never blocks. */
  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.memory.release();
  }
}

answersWithMemory(BackendArray.prototype, (array) => array.memory);
