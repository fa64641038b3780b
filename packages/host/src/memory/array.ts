import {
  type ArrayDescriptor,
  type ArrayInterface,
  type OwnedArray,
  toArrayInterface,
} from '@array-interface/core';
import { BackendArray, internals } from '@array-interface/core/backend';
import { assertAtRest } from '../order/pending-work.js';
import type { HostMemory } from './memory.js';

/** An array in this process's memory. */
export class HostArray extends BackendArray {
  /** The array that owns the memory of this view; null for the owner itself. */
  declare readonly base: OwnedArray<HostArray> | null;

  /**
   * NumPy's array interface, version 3, with the address of the memory. Copies nothing. The dict
   * keeps the memory from being collected, but not from being disposed of: then whatever takes it here
   * throws ERR_DISPOSED. In another thread it is an address, good while this array lives. Throws ERR_DISPOSED, ERR_OUT_OF_BOUNDS (the buffer behind
   * it shrank), ERR_PENDING while a kernel works on the elements.
   */
  get __array_interface__(): ArrayInterface {
    const { descriptor } = this;
    internals(this.memory).assertHolds(descriptor, 'array');
    assertAtRest(this.memory as HostMemory, descriptor);
    return toArrayInterface(descriptor);
  }

  /** A view of it. */
  protected over(descriptor: ArrayDescriptor, base: HostArray): HostArray {
    return new HostArray(this.memory, descriptor, base);
  }
}
