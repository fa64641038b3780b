import type { ArrayDescriptor, BorrowOptions } from '@array-interface/core';
import type {
  BackendIdentity,
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
import { DeviceDriver, internals } from '@array-interface/core/backend';
import type { ContextDeviceHandle } from './addon.js';
import { SyclArray } from './array.js';
import { runtime } from './driver/runtime.js';
import { kernelLimits, LAUNCH_LIMITS, launchShape, readKernel } from './kernels/kernel.js';
import { allocate, HOST, WIDEST } from './memory/allocate.js';
import { borrow } from './memory/borrow.js';
import { CAPSULES, withOrder } from './memory/capsule.js';
import { reachFrom, SyclMemory } from './memory/memory.js';
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
export class SyclDriver
  extends DeviceDriver<SyclMemory, SyclQueue, ContextDeviceHandle>
  implements Driver<SyclArray, SyclMemory, SyclQueue, KernelHandle>
{
  readonly ownOptions: OwnOptions = {
    empty: { context: checkContext, alignment: checkAlignment },
    places: ['context'],
  };
  readonly launchLimits: LaunchLimits = LAUNCH_LIMITS;
  protected readonly capsules: CapsuleRules = CAPSULES;
  protected readonly own: typeof ownQueue = ownQueue;
  protected readonly withOrder: typeof withOrder = withOrder;
  protected readonly readKernel: typeof readKernel = readKernel;
  protected readonly kernelLimits: typeof kernelLimits = kernelLimits;
  protected readonly launchShape: typeof launchShape = launchShape;

  get addon(): DeviceAddon<ContextDeviceHandle> {
    return runtime();
  }

  protected deviceFor(options: SyclEmptyOptions): ContextDeviceHandle {
    return contextFrom(options.context, options.device, homeQueueOf(options)).handle;
  }

  protected deviceOf({ context }: SyclQueue): ContextDeviceHandle {
    return context.handle;
  }

  protected targetOf({ context }: SyclQueue): SyclContext {
    return context;
  }

  allocate(byteLength: number, options: SyclEmptyOptions, timeout: number): SyclMemory {
    const { alignment = WIDEST, memoryKind = 'device' } = options;
    const homeQueue = homeQueueOf(options);
    const context = contextFrom(options.context, options.device, homeQueue);
    const type = usmType(memoryKind);
    return allocate(this.backend, context, { type, byteLength, homeQueue, alignment, timeout });
  }

  protected allocateStaging(
    byteLength: number,
    { context }: SyclQueue,
    timeout: number,
  ): SyclMemory {
    return allocate(this.backend, context, { type: HOST, byteLength, timeout });
  }

  borrow(array: ArrayDescriptor, options: BorrowOptions): SyclMemory {
    return borrow(this.backend, array, options);
  }

  wrap(memory: SyclMemory, descriptor: ArrayDescriptor, base: SyclArray | null): SyclArray {
    return new SyclArray(memory, descriptor, base);
  }

  defaultQueue({ context }: SyclMemory): SyclQueue {
    return defaultQueueOf(context);
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

  reach(queue: BackendQueue, memory: SyclMemory): Reach {
    return reachFrom(ownQueue(queue).context, memory);
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
