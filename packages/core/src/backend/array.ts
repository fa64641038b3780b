import type { ArrayDescriptor } from '../descriptor.js';
import type { DType } from '../dtype.js';
import { ArrayInterfaceError } from '../error.js';
import { flip } from '../flip.js';
import { permuteDims } from '../permute-dims.js';
import { type SliceRange, slice } from '../slice.js';
import type { ByteStrides, ElementStrides } from '../strides.js';
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
  protected abstract view(descriptor: ArrayDescriptor): this;

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
    return this.view(slice(this.descriptor, ranges));
  }

  /** A view with the axes in another order; see `permuteDims`. Does not copy. */
  permuteDims(axes: readonly number[]): this {
    return this.view(permuteDims(this.descriptor, axes));
  }

  /** A view with one or several axes reversed; see `flip`. Does not copy. */
  flip(axes?: number | readonly number[]): this {
    return this.view(flip(this.descriptor, axes));
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
