import type { ArrayDescriptor } from '@array-interface/core';
import type {
  BackendQueue,
  DeviceAddon,
  Driver,
  GroupLimits,
  ImportedMemory,
  Kernel,
  KernelHandle,
  Launch,
  LaunchLimits,
  Memory,
  OwnOptions,
  QueueHandle,
  Reach,
  Signature,
  Staging,
  Use,
} from '@array-interface/core/backend';
import {
  checkSync,
  checkThat,
  DeviceDriver,
  DeviceStaging,
  unchecked,
} from '@array-interface/core/backend';
import { CudaArray } from './array.js';
import { libcuda } from './find-driver.js';
import { LAUNCH_LIMITS, launchShape, loadKernel } from './kernels/kernel.js';
import { allocate, deviceAndStream } from './memory/allocate.js';
import { borrow, type CudaBorrowOptions } from './memory/borrow.js';
import { importMemory } from './memory/import-memory.js';
import { CudaMemory } from './memory/memory.js';
import type { CudaEmptyOptions } from './memory/options.js';
import { MemoryPool } from './memory/pool.js';
import { readCapsule } from './memory/read-capsule.js';
import { checkPrimary, ownStream, type Stream } from './work/stream.js';
import { Streams } from './work/streams.js';

/** The CUDA implementation of core's `Driver`. */
export class CudaDriver extends DeviceDriver implements Driver<CudaArray> {
  readonly ownOptions: OwnOptions = {
    empty: {
      pool: checkThat(MemoryPool.is, 'a pool from cuda.createPool()'),
      exportStream: checkSync,
    },
    borrow: { producerStream: unchecked, exportStream: checkSync },
  };
  readonly launchLimits: LaunchLimits = LAUNCH_LIMITS;
  readonly streams: Streams = new Streams();

  protected get addon(): DeviceAddon {
    return libcuda();
  }

  protected nativeOf(queue: BackendQueue): QueueHandle {
    return ownStream(queue).native;
  }

  allocate(byteLength: number, options: CudaEmptyOptions, timeout: number): CudaMemory {
    return allocate(this.backend, this.streams, byteLength, options, timeout);
  }

  async memoryReturned(options: CudaEmptyOptions, returned: number): Promise<boolean> {
    await libcuda().memoryReturned(deviceAndStream(options).device, returned);
    return libcuda().returned() !== returned;
  }

  borrow(array: ArrayDescriptor, options: CudaBorrowOptions): CudaMemory {
    return borrow(this.backend, this.streams, array, options);
  }

  readCapsule(capsule: object): ArrayDescriptor | null {
    return readCapsule(this.streams, capsule);
  }

  wrap(memory: Memory, descriptor: ArrayDescriptor, base: CudaArray | null): CudaArray {
    return new CudaArray(memory as CudaMemory, descriptor, base);
  }

  defaultQueue(memory: Memory): Stream {
    return this.streams.defaultOf((memory as CudaMemory).device);
  }

  stage(byteLength: number, queue: BackendQueue, timeout: number): Staging {
    const { device } = ownStream(queue);
    const made = libcuda().allocate(device, 'staging', byteLength, timeout);
    const { handle: native, pointer, hostPointer } = made;
    const memory = new CudaMemory(this.backend, this.streams, {
      ...{ native, origin: 'allocated', device, memoryKind: 'host', pointer },
      hostOffset: hostPointer - pointer,
      allocation: { pointer, byteLength },
    });
    return new DeviceStaging(memory, libcuda());
  }

  import(array: ArrayDescriptor, memory: Memory, queue: BackendQueue): ImportedMemory | null {
    return importMemory(this.backend, this.streams, array, memory, queue.device);
  }

  /**
   * Never returns `no`, since the driver copies between all memory that it knows. Throws
   * ERR_NOT_ACCESSIBLE if the stream's context is not the primary one.
   */
  reach(queue: BackendQueue, memory: Memory): Reach {
    const stream = ownStream(queue);
    checkPrimary(stream);
    const { memoryKind, device, native } = memory as CudaMemory;
    const isNear = memoryKind !== 'device' || device === stream.device;
    return isNear || libcuda().reaches(stream.native, native) ? 'kernels' : 'copies';
  }

  protected targetOf(queue: BackendQueue): number {
    const stream = ownStream(queue);
    checkPrimary(stream); // in case no array has checked it
    return stream.device;
  }

  protected loadKernel(kernel: Kernel, signature: Signature, queue: BackendQueue): KernelHandle {
    return loadKernel(kernel, signature, queue.device);
  }

  protected kernelLimits(kernel: KernelHandle): GroupLimits {
    const [items, x, y, z, localBytes] = libcuda().kernelLimits(kernel);
    return { items, axes: [x, y, z], localBytes };
  }

  protected launchShape(launch: Launch): Uint8Array {
    return launchShape(launch);
  }

  within<T>(queue: BackendQueue, _uses: readonly Use[], work: () => T): T {
    return libcuda().within(ownStream(queue).native, work);
  }
}
