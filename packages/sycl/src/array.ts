import {
  type ArrayDescriptor,
  type Backend,
  type OwnedArray,
  type SyclUsmArrayInterface,
  toSyclUsmArrayInterface,
  type WaitOptions,
} from '@array-interface/core';
import { BackendArray, readSignal, replace } from '@array-interface/core/backend';
import type { SyclMemory } from './memory/memory.js';
import { defaultQueueOf } from './work/default-queue.js';

/** An array in USM memory. */
export class SyclArray extends BackendArray {
  /** What stands behind it and all its views. */
  declare readonly memory: SyclMemory;

  /** @internal */
  constructor(memory: SyclMemory, descriptor: ArrayDescriptor, base: SyclArray | null) {
    super(memory, descriptor, base);
  }

  /**
   * The array as SUAI v1 has it. `syclobj` is a queue, always the same one. It waits for all
   * pending work; what consumers put there comes before our next work and before the memory goes.
   * Copies nothing and does not wait. The memory lives as long as this array or the dict is held, and
   * until the owner is disposed; then whatever takes the dict throws ERR_DISPOSED. Throws
   * ERR_DISPOSED, ERR_PENDING while work on it waits for a kernel that is being built, and
   * ERR_DTYPE_UNSUPPORTED, ERR_BYTE_ORDER or ERR_STRIDE_UNIT for what SUAI cannot
   * hold.
   */
  get __sycl_usm_array_interface__(): SyclUsmArrayInterface {
    const { memory } = this;
    const described = withBase(this.descriptor, memory);
    return toSyclUsmArrayInterface(described, { syclobj: memory.exportQueue() });
  }

  /**
   * An array whose dict dpnp takes, to be disposed. It is a loan of this one, or a copy in C order
   * where an axis runs backwards, since dpnp loses the offset of such an array (of its own, too).
   * Rejects as `array`.
   */
  async forDpnp(options: WaitOptions = {}): Promise<OwnedArray<SyclArray>> {
    const signal = readSignal(options);
    const { descriptor, memory } = this;
    const backend = this.backend as Backend<SyclArray>;
    const isBackwards = descriptor.byteStrides.some(
      (stride, axis) => stride < 0 && (descriptor.shape[axis] as number) > 1,
    );
    if (!isBackwards) return backend.asArray(this);
    const queue = memory.homeQueue ?? defaultQueueOf(memory.context);
    const { memoryKind } = memory;
    return await backend.array(this, { ...(signal && { signal }), memoryKind, queue });
  }

  /** A view of it. */
  protected override over(descriptor: ArrayDescriptor, base: SyclArray): SyclArray {
    return new SyclArray(this.memory, descriptor, base);
  }
}

/**
 * Points `data` at the allocation's start, as dpnp does. An array without elements has real memory
 * too.
 */
function withBase(array: ArrayDescriptor, memory: SyclMemory): ArrayDescriptor {
  const { allocation } = memory;
  if (allocation === null) return array;
  const start = allocation.pointer;
  const reach = (pointer: bigint) => pointer - start <= BigInt(allocation.byteLength);
  const given = array.base?.pointer ?? array.pointer;
  if (array.size === 0 && (given < start || !reach(given))) {
    return replace(array, { pointer: start, base: { pointer: start, elementOffset: 0 } });
  }
  if (array.base !== null) return array;
  const bytes = array.pointer - start;
  const itemsize = BigInt(Math.max(1, array.itemsize));
  if (bytes < 0n || bytes % itemsize !== 0n) return array;
  return replace(array, { base: { pointer: start, elementOffset: Number(bytes / itemsize) } });
}
