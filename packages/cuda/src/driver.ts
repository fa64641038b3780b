import type { ArrayDescriptor } from '@array-interface/core';
import type {
  BackendQueue,
  CapsuleRules,
  DeviceAddon,
  Driver,
  ImportedMemory,
  KernelHandle,
  LaunchLimits,
  Memory,
  OwnOptions,
  Reach,
  Use,
} from '@array-interface/core/backend';
import { checkSync, checkThat, DeviceDriver, unchecked } from '@array-interface/core/backend';
import { CudaArray } from './array.js';
import { libcuda } from './find-driver.js';
import { kernelLimits, LAUNCH_LIMITS, launchShape, readKernel } from './kernels/kernel.js';
import { allocate, allocateStaging, deviceAndStream } from './memory/allocate.js';
import { borrow, type CudaBorrowOptions } from './memory/borrow.js';
import { CAPSULES, withOrder } from './memory/capsule.js';
import { importMemory } from './memory/import-memory.js';
import type { CudaMemory } from './memory/memory.js';
import type { CudaEmptyOptions } from './memory/options.js';
import { MemoryPool } from './memory/pool.js';
import { checkPrimary, ownStream, type Stream } from './work/stream.js';
import { defaultStreamOf } from './work/streams.js';

/** The CUDA implementation of core's `Driver`. */
export class CudaDriver
  extends DeviceDriver<CudaMemory, Stream, number>
  implements Driver<CudaArray, CudaMemory, Stream, KernelHandle>
{
  readonly ownOptions: OwnOptions = {
    empty: {
      pool: checkThat(MemoryPool.is, 'a pool from cuda.createPool()'),
      exportStream: checkSync,
    },
    borrow: { producerStream: unchecked, exportStream: checkSync },
    places: ['pool'],
  };
  readonly #targets: object[] = [];
  readonly launchLimits: LaunchLimits = LAUNCH_LIMITS;
  protected readonly capsules: CapsuleRules = CAPSULES;
  protected readonly own: typeof ownStream = ownStream;
  protected readonly withOrder: typeof withOrder = withOrder;
  protected readonly readKernel: typeof readKernel = readKernel;
  protected readonly kernelLimits: typeof kernelLimits = kernelLimits;
  protected readonly launchShape: typeof launchShape = launchShape;

  get addon(): DeviceAddon<number> {
    return libcuda();
  }

  protected deviceFor(options: CudaEmptyOptions): number {
    return deviceAndStream(options).device;
  }

  protected deviceOf({ device }: Stream): number {
    return device;
  }

  /** Devices last as long as the process. */
  protected targetOf(stream: Stream): object {
    checkPrimary(stream); // in case no array has checked it
    const { device } = stream;
    this.#targets[device] ??= {};
    return this.#targets[device];
  }

  allocate(byteLength: number, options: CudaEmptyOptions, timeout: number): CudaMemory {
    return allocate(this.backend, byteLength, options, timeout);
  }

  protected allocateStaging(byteLength: number, { device }: Stream, timeout: number): CudaMemory {
    return allocateStaging(this.backend, byteLength, device, timeout);
  }

  borrow(array: ArrayDescriptor, options: CudaBorrowOptions): CudaMemory {
    return borrow(this.backend, array, options);
  }

  wrap(memory: CudaMemory, descriptor: ArrayDescriptor, base: CudaArray | null): CudaArray {
    return new CudaArray(memory, descriptor, base);
  }

  defaultQueue({ device }: CudaMemory): Stream {
    return defaultStreamOf(device);
  }

  import(array: ArrayDescriptor, memory: Memory, { device }: BackendQueue): ImportedMemory | null {
    return importMemory(this.backend, array, memory, device);
  }

  /**
   * Never returns `no`, since the driver copies between all memory that it knows. Throws
   * ERR_NOT_ACCESSIBLE if the stream's context is not the primary one.
   */
  reach(queue: BackendQueue, { memoryKind, device, native }: CudaMemory): Reach {
    const stream = ownStream(queue);
    checkPrimary(stream);
    const isNear = memoryKind !== 'device' || device === stream.device;
    return isNear || libcuda().reaches(stream.native, native) ? 'kernels' : 'copies';
  }

  within<T>(queue: BackendQueue, _uses: readonly Use[], work: () => T): T {
    return libcuda().within(ownStream(queue).native, work);
  }
}
