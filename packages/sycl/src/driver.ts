import type { ArrayDescriptor, BorrowOptions } from '@array-interface/core';
import type {
  BackendIdentity,
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
import { DeviceDriver, DeviceStaging, internals } from '@array-interface/core/backend';
import { SyclArray } from './array.js';
import { runtime } from './driver/runtime.js';
import { LAUNCH_LIMITS, launchShape, loadKernel } from './kernels/kernel.js';
import { allocate, HOST, WIDEST } from './memory/allocate.js';
import { borrow } from './memory/borrow.js';
import { reachFrom, SyclMemory } from './memory/memory.js';
import { readCapsule } from './memory/read-capsule.js';
import {
  checkAlignment,
  checkContext,
  contextFrom,
  type SyclEmptyOptions,
  usmType,
} from './options.js';
import type { SyclContext } from './work/context.js';
import { defaultQueueOf } from './work/default-queue.js';
import { ownQueue, type SyclQueue } from './work/queue.js';

/** The SYCL runtime as core's copies and launches use it: memory, queues and their work. */
export class SyclDriver extends DeviceDriver implements Driver<SyclArray> {
  readonly ownOptions: OwnOptions = { empty: { context: checkContext, alignment: checkAlignment } };
  readonly launchLimits: LaunchLimits = LAUNCH_LIMITS;

  protected get addon(): DeviceAddon {
    return runtime();
  }

  protected nativeOf(queue: BackendQueue): QueueHandle {
    return ownQueue(queue).native;
  }

  allocate(byteLength: number, options: SyclEmptyOptions, timeout: number): SyclMemory {
    const { alignment = WIDEST, memoryKind = 'device' } = options;
    const homeQueue = homeQueueOf(options);
    const context = contextFrom(options.context, options.device, homeQueue);
    const type = usmType(memoryKind);
    return allocate(this.backend, context, { type, byteLength, homeQueue, alignment, timeout });
  }

  async memoryReturned(options: SyclEmptyOptions, returned: number): Promise<boolean> {
    const context = contextFrom(options.context, options.device, homeQueueOf(options));
    await runtime().memoryReturned(context.handle, returned);
    return runtime().returned() !== returned;
  }

  borrow(array: ArrayDescriptor, options: BorrowOptions): SyclMemory {
    return borrow(this.backend, array, options);
  }

  readCapsule(capsule: object): ArrayDescriptor | null {
    return readCapsule(capsule);
  }

  wrap(memory: Memory, descriptor: ArrayDescriptor, base: SyclArray | null): SyclArray {
    return new SyclArray(memory as SyclMemory, descriptor, base);
  }

  defaultQueue(memory: Memory): SyclQueue {
    return defaultQueueOf((memory as SyclMemory).context);
  }

  stage(byteLength: number, queue: BackendQueue, timeout: number): Staging {
    const { context } = ownQueue(queue);
    const request = { type: HOST, byteLength, timeout };
    return new DeviceStaging(allocate(this.backend, context, request), runtime());
  }

  /**
   * Imports memory that this process can access, if the device can access all system memory (SYCL
   * 2020, 4.8.3).
   */
  import(array: ArrayDescriptor, memory: Memory, queue: BackendQueue): ImportedMemory | null {
    const { context } = ownQueue(queue);
    const seen = internals(memory).onHost(array);
    if (seen === null || !reachesSystem(context.device)) return null;
    return { memory: importedMemory(this.backend, context, memory), array: seen };
  }

  reach(queue: BackendQueue, memory: Memory): Reach {
    return reachFrom(ownQueue(queue).context, memory as SyclMemory);
  }

  protected targetOf(queue: BackendQueue): number {
    return ownQueue(queue).context.id;
  }

  protected loadKernel(kernel: Kernel, signature: Signature, queue: BackendQueue): KernelHandle {
    return loadKernel(kernel, signature, ownQueue(queue).context);
  }

  /**
   * The limits are checked in advance for two reasons: Intel's runtime for CPUs crashes if bytes of
   * local memory do not fit into 32 bits, and a launch that fails waits for all work of its queue.
   */
  protected kernelLimits(kernel: KernelHandle): GroupLimits {
    const [items, localBytes] = runtime().kernelLimits(kernel);
    return { items, axes: [items, items, items], localBytes };
  }

  protected launchShape(launch: Launch): Uint8Array {
    return launchShape(launch);
  }

  /** The runtime needs no thread-local state. */
  within<T>(_queue: BackendQueue, _uses: readonly Use[], work: () => T): T {
    return work();
  }
}

function homeQueueOf({ queue }: SyclEmptyOptions): SyclQueue | null {
  return queue === undefined ? null : ownQueue(queue);
}

function importedMemory(
  backend: BackendIdentity,
  context: SyclContext,
  memory: Memory,
): SyclMemory {
  const shift = memory.hostOffset ?? 0n;
  const pointer = memory.pointer + shift;
  const allocation = memory.allocation && {
    pointer: memory.allocation.pointer + shift,
    byteLength: memory.allocation.byteLength,
  };
  const native = runtime().import(context.handle, memory);
  return new SyclMemory(backend, native, { pointer, allocation, producer: memory });
}

const systemDevices = new Map<number, boolean>();

/** Whether the device can access all memory of this process, whatever allocated it. */
function reachesSystem(device: number): boolean {
  const known = systemDevices.get(device);
  if (known !== undefined) return known;
  const found = runtime().devices()[device]?.aspects.includes('usm_system_allocations') ?? false;
  systemDevices.set(device, found);
  return found;
}
