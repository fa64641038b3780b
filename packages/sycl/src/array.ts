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

/**
 * An array in USM memory. `sycl.empty` and `sycl.array` allocate one; `sycl.asArray` borrows
 * another library's memory.
 *
 * @example
 * ```ts
 * import { sycl } from '@array-interface/sycl';
 *
 * using image = await sycl.array([[1, 2, 3], [4, 5, 6]], { dtype: 'float32' });
 * const turned = image.flip([0]).permuteDims([1, 0]); // a view: it owns nothing
 * const { strides, offset } = turned.__sycl_usm_array_interface__;
 * console.log(strides, offset); // [ 1, -3 ] 3
 * ```
 */
export class SyclArray extends BackendArray {
  /** The memory of this array and of all its views. */
  declare readonly memory: SyclMemory;

  /** @internal */
  constructor(memory: SyclMemory, descriptor: ArrayDescriptor, base: SyclArray | null) {
    super(memory, descriptor, base);
  }

  /**
   * The array as a SYCL USM Array Interface (SUAI) v1 dict, which dpctl and dpnp read. `syclobj` is
   * a queue, always the same one for an array. That queue waits for all pending work. The library's
   * next work, and the release of the memory, are ordered after what consumers enqueue there.
   *
   * Copies nothing and does not block. The memory lives as long as this array or the dict is
   * referenced and the owner is not disposed. After that, a consumer of the dict throws
   * ERR_DISPOSED.
   *
   * Throws ERR_DISPOSED, ERR_PENDING while work on the array waits for a kernel that is being
   * built, and ERR_DTYPE_UNSUPPORTED, ERR_BYTE_ORDER or ERR_STRIDE_UNIT if SUAI cannot describe the
   * array.
   *
   * @example
   * ```ts
   * import { sycl } from '@array-interface/sycl';
   *
   * using array = await sycl.array([1, 2, 3], { dtype: 'float32' });
   * const { data, shape, typestr } = array.__sycl_usm_array_interface__;
   * ```
   */
  get __sycl_usm_array_interface__(): SyclUsmArrayInterface {
    return toSyclUsmArrayInterface(this);
  }

  /** Names the queue, and the start of the allocation. */
  protected override exported(): ArrayDescriptor {
    const { memory } = this;
    const described = withBase(this.descriptor, memory);
    return replace(described, { syclobj: memory.exportQueue() });
  }

  /**
   * Returns an array whose dict dpnp reads correctly. Dispose of it after use. It shares this
   * array's memory, or is a copy in C order if an axis runs backwards: dpnp loses the offset of
   * such an array, even of its own. Rejects as `SyclBackend.array` does.
   *
   * @example
   * ```ts
   * import { sycl } from '@array-interface/sycl';
   *
   * using array = await sycl.array([1, 2, 3], { dtype: 'float32' });
   * using forward = await array.flip().forDpnp(); // a copy: its strides are positive
   * ```
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

  /** Creates a view over the same memory. */
  protected override over(descriptor: ArrayDescriptor, base: SyclArray): SyclArray {
    return new SyclArray(this.memory, descriptor, base);
  }
}

/**
 * Points `data` at the start of the allocation, as dpnp does. An empty array gets a real address,
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
