import type { ArrayDescriptor } from '@array-interface/core';
import type {
  BackendIdentity,
  BackendQueue,
  BufferMapping,
  CopyPlan,
  Driver,
  GroupLimits,
  ImportedMemory,
  Kernel,
  Launch,
  LaunchLimits,
  Memory,
  OwnOptions,
  Reach,
  Signature,
  Staging,
  Use,
} from '@array-interface/core/backend';
import {
  checkSync,
  checkThat,
  groupFor,
  isContiguous,
  unchecked,
} from '@array-interface/core/backend';
import type { KernelHandle } from './addon.js';
import { CudaArray } from './array.js';
import { libcuda } from './find-driver.js';
import {
  buildKernel,
  groupLimits,
  handlesOf,
  LAUNCH_LIMITS,
  launchKernel,
  USUAL_GROUP,
} from './kernels/kernel.js';
import { allocate, placeOf } from './memory/allocate.js';
import { borrow, type CudaBorrowOptions } from './memory/borrow.js';
import { importMemory } from './memory/import-memory.js';
import { CudaMemory } from './memory/memory.js';
import type { CudaEmptyOptions } from './memory/options.js';
import { MemoryPool } from './memory/pool.js';
import { readCapsule } from './memory/read-capsule.js';
import { PinnedStaging } from './memory/staging.js';
import { checkPrimary, ownStream, type Stream } from './work/stream.js';
import { Streams } from './work/streams.js';

/** The CUDA implementation of core's `Driver`. */
export class CudaDriver implements Driver<CudaArray> {
  readonly ownOptions: OwnOptions = {
    empty: {
      pool: checkThat(MemoryPool.is, 'a pool, made with cuda.createPool()'),
      exportStream: checkSync,
    },
    borrow: { producerStream: unchecked, exportStream: checkSync },
  };
  readonly isSynchronous = false;
  readonly launchLimits: LaunchLimits = LAUNCH_LIMITS;
  readonly streams: Streams = new Streams();
  readonly #backend: BackendIdentity;

  constructor(backend: BackendIdentity) {
    this.#backend = backend;
  }

  allocate(byteLength: number, options: CudaEmptyOptions, timeout: number): CudaMemory {
    return allocate(this.#backend, this.streams, byteLength, options, timeout);
  }

  returned(): number {
    return libcuda().returned();
  }

  async memoryReturned(options: CudaEmptyOptions, returned: number): Promise<boolean> {
    await libcuda().memoryReturned(placeOf(options).device, returned);
    return libcuda().returned() !== returned;
  }

  borrow(array: ArrayDescriptor, options: CudaBorrowOptions): CudaMemory {
    return borrow(this.#backend, this.streams, array, options);
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

  enqueue(
    queue: BackendQueue,
    plan: CopyPlan,
    target: Memory,
    origin: Memory,
  ): void | Promise<void> {
    const { native } = ownStream(queue);
    const [into, outOf] = [(target as CudaMemory).native, (origin as CudaMemory).native];
    const { destination, source, nbytes } = plan;
    return isContiguous(plan)
      ? libcuda().copyRun(native, destination, source, nbytes, into, outOf)
      : libcuda().copy(native, plan, into, outOf);
  }

  stage(byteLength: number, queue: BackendQueue, timeout: number): Staging {
    const { device } = ownStream(queue);
    const made = libcuda().allocate(device, 'staging', byteLength, timeout);
    const { handle: native, pointer, hostPointer } = made;
    const memory = new CudaMemory(this.#backend, this.streams, {
      ...{ native, origin: 'allocated', device, memoryKind: 'host', pointer },
      hostOffset: hostPointer - pointer,
      allocation: { pointer, byteLength },
    });
    return new PinnedStaging(memory);
  }

  async settle(queue: BackendQueue, memory: Memory): Promise<void> {
    await libcuda().settle((memory as CudaMemory).native, ownStream(queue).native);
  }

  mapBuffer(memory: Memory, address: bigint, byteLength: number): BufferMapping | null {
    const { native, producer } = memory as CudaMemory;
    const made = libcuda().mapBuffer(native, address, byteLength);
    if (made === null) return null;
    const { buffer, mapped } = made;
    return { buffer, end: () => libcuda().unmapBuffer(mapped, buffer, producer) };
  }

  import(array: ArrayDescriptor, memory: Memory, queue: BackendQueue): ImportedMemory | null {
    return importMemory(this.#backend, this.streams, array, memory, queue.device);
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

  groupOf(range: readonly number[], { items }: GroupLimits): readonly number[] {
    return groupFor(range, Math.min(items, USUAL_GROUP));
  }

  groupLimits(_queue: BackendQueue, built: object): GroupLimits {
    return groupLimits(built as KernelHandle);
  }

  build(
    kernel: Kernel,
    signature: Signature,
    queue: BackendQueue,
  ): KernelHandle | Promise<KernelHandle> {
    const stream = ownStream(queue);
    checkPrimary(stream); // in case no array has checked it
    return buildKernel(kernel, signature, stream);
  }

  launch(queue: BackendQueue, built: object, launch: Launch): void | Promise<void> {
    return launchKernel(ownStream(queue), built as KernelHandle, launch);
  }

  before(queue: BackendQueue, uses: readonly Use[]): void {
    libcuda().beginExternalWork(ownStream(queue).native, ...handlesOf(uses));
  }

  after(queue: BackendQueue, uses: readonly Use[]): void | Promise<void> {
    return libcuda().endExternalWork(ownStream(queue).native, ...handlesOf(uses));
  }

  within<T>(queue: BackendQueue, _uses: readonly Use[], work: () => T): T {
    return libcuda().within(ownStream(queue).native, work);
  }
}
