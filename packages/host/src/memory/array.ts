import {
  type ArrayDescriptor,
  type ArrayInterface,
  type OwnedArray,
  toArrayInterface,
} from '@array-interface/core';
import { BackendArray, internals } from '@array-interface/core/backend';
import { assertAtRest } from '../order/pending-work.js';
import type { HostMemory } from './memory.js';

/**
 * An array in this process's memory. `host.empty`, `host.array`, `host.asArray`, `host.fromArrow`
 * and `host.openShared` make them.
 */
export class HostArray extends BackendArray {
  /** The array that owns this view's memory; null for the owner itself. */
  declare readonly base: OwnedArray<HostArray> | null;

  /**
   * NumPy's array interface, version 3, with the memory's address. Copies nothing.
   *
   * The dict keeps the memory from being collected, but not from being disposed: this package then
   * throws ERR_DISPOSED when it takes the dict. In another thread the dict is a bare address, valid
   * while this array lives.
   *
   * Throws ERR_DISPOSED; ERR_OUT_OF_BOUNDS if the buffer behind it shrank; ERR_PENDING while a
   * kernel works on the elements.
   */
  get __array_interface__(): ArrayInterface {
    return toArrayInterface(this);
  }

  /** Throws unless the elements are there, and at rest. */
  protected override exported(): ArrayDescriptor {
    const { descriptor } = this;
    internals(this.memory).assertHolds(descriptor, 'array');
    assertAtRest(this.memory as HostMemory, descriptor);
    return descriptor;
  }

  /** Makes a view of this array. */
  protected over(descriptor: ArrayDescriptor, base: HostArray): HostArray {
    return new HostArray(this.memory, descriptor, base);
  }
}
